import type { ClassTopology } from '../topology/class-topology.ts';
import type { PodShape } from './pod-shape.ts';
import type { ResourceTable } from './resource-table.ts';
import type { Rung, RungStep, Step } from './rung.ts';

/** Pods that are equal to the solver, in the numbers of one solve. */
export interface PodClass {
  readonly id: number;
  readonly shape: PodShape;
  readonly rungs: readonly Rung[];
  /** Rung → the rungs that the pod likes as well: those of its step. */
  readonly equals: ReadonlyMap<Rung, Step>;
  /** Resources of which the pod wants more than nothing, and how much of each. */
  readonly resourceIds: Int32Array;
  readonly amounts: Float64Array;
  /** A resource that no node and no instance type has. */
  readonly unknownResource: string | undefined;
  /** Absent: the class neither asks where other pods are, nor is asked about. */
  readonly topology: ClassTopology | undefined;
}

/** What makes a class, beside its shape. */
export interface ClassTraits {
  readonly id: number;
  readonly topology: ClassTopology | undefined;
}

/** How classes are made: which rungs count under the policy, and what resources there are. */
export interface ClassRules {
  readonly resources: ResourceTable;
  readonly canonicalRung: (rung: Rung) => Rung;
  readonly steps: ReadonlySet<RungStep>;
}

export const podClass = (shape: PodShape, { id, topology }: ClassTraits, { resources, canonicalRung, steps }: ClassRules): PodClass => {
  const wanted = Object.entries(shape.requests).filter(([, amount]) => amount > 0);
  const known = wanted
    .flatMap(([name, amount]) => {
      const resource = resources.idOf.get(name);
      return resource === undefined ? [] : [{ resource, amount }];
    })
    .sort((a, b) => a.resource - b.resource);
  const ladder = shape.ladder.map((step) => step.filter((rung) => steps.has(rung.step)).map(canonicalRung));
  return {
    id,
    shape,
    topology,
    rungs: ladder.flat(),
    // Where a rung stands on two steps, the earlier one counts.
    equals: new Map(ladder.flatMap((step) => step.map((rung): [Rung, Step] => [rung, step])).reverse()),
    resourceIds: Int32Array.from(known, ({ resource }) => resource),
    amounts: Float64Array.from(known, ({ amount }) => amount),
    unknownResource: wanted.find(([name]) => !resources.idOf.has(name))?.[0],
  };
};
