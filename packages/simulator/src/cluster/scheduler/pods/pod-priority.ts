import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import type { PodObject } from '../../objects/pod.ts';

interface PriorityClass extends ApiObject {
  readonly value: number;
}

const priorityClasses: KindRef<PriorityClass> = { kind: 'PriorityClass' };

/** What every cluster has without asking. */
const BUILT_IN: Readonly<Record<string, number>> = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };

/** The priority that admission gave the pod, or that of its class; 0 without either. */
export const podPriorityOf = (api: LocalApi, { spec }: PodObject): number => {
  if (spec.priority !== undefined) return spec.priority;
  const name = spec.priorityClassName ?? '';
  if (name === '') return 0;
  return api.get(priorityClasses, { name })?.value ?? BUILT_IN[name] ?? 0;
};
