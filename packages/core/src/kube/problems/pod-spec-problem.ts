import type { FieldProblem } from '../../base/index.ts';
import type { Container, PodSpec, ResourceRequirements } from '../pod.ts';
import { affinityProblem } from './affinity-problem.ts';
import { firstProblem } from './first-problem.ts';
import { quantityProblem } from './quantity-problem.ts';
import { spreadProblem } from './spread-problem.ts';
import { tolerationProblem } from './toleration-problem.ts';

const resourcesProblem = (field: string, { requests, limits }: ResourceRequirements = {}): FieldProblem | undefined =>
  quantityProblem(`${field}.requests`, requests) ?? quantityProblem(`${field}.limits`, limits);

const isList = (value: unknown): boolean => Array.isArray(value);

const containersProblem = (field: string, containers: readonly Container[] | undefined): FieldProblem | undefined =>
  containers !== undefined && isList(containers)
    ? firstProblem(
        containers.map(
          ({ resources }, i) =>
            () =>
              resourcesProblem(`${field}[${i}].resources`, resources),
        ),
      )
    : { field, value: typeof containers, problem: 'must be a list of containers' };

const nodeSelectorProblem = (selector: NonNullable<PodSpec['nodeSelector']>): FieldProblem | undefined => {
  const wrong = Object.entries<unknown>(selector).find(([, value]) => typeof value !== 'string');
  return (
    wrong && {
      field: `spec.nodeSelector.${wrong[0]}`,
      value: String(wrong[1]),
      problem: 'must be a text; write numbers and booleans in quotes',
    }
  );
};

/** What is wrong with the containers of a pod's spec, as far as scheduling reads them; undefined when they are sound. */
export const podContainersProblem = ({ containers, initContainers }: PodSpec): FieldProblem | undefined =>
  containersProblem('spec.containers', containers) ?? containersProblem('spec.initContainers', initContainers ?? []);

/** The same of what is said outside of the containers. */
export const podFrameProblem = (spec: PodSpec): FieldProblem | undefined =>
  firstProblem([
    () => resourcesProblem('spec.resources', spec.resources),
    () => quantityProblem('spec.overhead', spec.overhead),
    () => nodeSelectorProblem(spec.nodeSelector ?? {}),
    () => affinityProblem('spec.affinity', spec.affinity),
    ...(spec.tolerations ?? []).map((toleration, i) => () => tolerationProblem(`spec.tolerations[${i}]`, toleration)),
    ...(spec.topologySpreadConstraints ?? []).map(
      (constraint, i) => () => spreadProblem(`spec.topologySpreadConstraints[${i}]`, constraint),
    ),
  ]);

/**
 * What is wrong with a pod's spec, as far as scheduling reads it; undefined when it is sound. The API server admits none of this; plain objects
 * from elsewhere may hold it.
 */
export const podSpecProblem = (spec: PodSpec): FieldProblem | undefined => podContainersProblem(spec) ?? podFrameProblem(spec);
