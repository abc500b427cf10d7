import { labels } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';
import { requirementsOf } from '../../requirements/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';

/** A class of pods of a size that care for nothing else; placing reads no more of it. Resources: cpu, memory, pods. */
export const aClass = (cpuMillis: number, memoryBytes = 1): PodClass =>
  ({
    topology: undefined,
    shared: undefined,
    resourceIds: Int32Array.of(0, 1, 2),
    amounts: Float64Array.of(cpuMillis, memoryBytes, 1),
  }) as Partial<PodClass> as PodClass;

/** A term for nodes of these zones; without any, for all nodes. */
export const termIn = (...zones: readonly string[]): NodeTerm => ({
  text: zones.join(),
  requirements: zones.length === 0 ? new Map() : requirementsOf([{ key: labels.zone, operator: 'In', values: zones }]),
  tolerations: [],
  relaxation: 'required',
});

export const aNamedPod = (name: string, creationTimestamp?: string): Pod =>
  ({ metadata: { name, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) } }) as Pod;

export const aPodSet = (podClass: PodClass, ...names: readonly string[]): PodSet => ({
  podClass,
  pods: names.map((name) => aNamedPod(name)),
});

/** The names of the pods of each pod set, with spaces between. */
export const namesOf = (podSets: readonly PodSet[]): readonly string[] =>
  podSets.map(({ pods }) => pods.map(({ metadata }) => metadata.name).join(' '));

/** The zones of each term that the pod set is led to, with commas between. */
export const zonesOfTerms = ({ terms }: PodSet): readonly string[] =>
  (terms ?? []).map(({ requirements }) => {
    const values = requirements.get(labels.zone)?.values;
    return values?.kind === 'in' ? [...values.values].join() : 'any';
  });
