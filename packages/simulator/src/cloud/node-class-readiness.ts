import { kubeTime } from '@karpenter/runtime';
import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { conditionIn, putCondition } from '../cluster/objects/conditions.ts';
import { type SimulatedNodeClass, simulatedNodeClasses } from './simulated-node-class.ts';

/** Makes every SimulatedNodeClass Ready as it comes. */
export const startNodeClassReadiness = (api: LocalApi, clock: Clock): Disposable => {
  const makeReady = (object: SimulatedNodeClass): void => {
    const { name = '', generation } = object.metadata;
    const before = conditionIn(object.status?.conditions, 'Ready');
    if (before?.status === 'True' && before.observedGeneration === generation) return;
    const current = api.get(simulatedNodeClasses, { name });
    if (current === undefined) return;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    const condition = { type: 'Ready', status: 'True', reason: 'Ready', message: '', ...observed } as const;
    const conditions = putCondition(current.status?.conditions, condition, kubeTime(clock.now()));
    api.updateStatus({ ...current, status: { ...current.status, conditions } });
  };
  return api.watch(simulatedNodeClasses, ({ type, object }) => {
    if (type !== 'DELETED') clock.setTimeout(() => makeReady(object), 0);
  });
};
