import { kubeTime } from '@karpenter/runtime';
import { type JsonObject, objectIn, objectsAt } from '../../json/json.ts';
import type { Strategy } from '../strategy.ts';
import { addEvictionTolerations, admitPod } from './pod-admission.ts';
import { fillPodSpec, keepMissing } from './pod-defaults.ts';
import { qosClassOf } from './pod-qos.ts';
import { podUpdateErrors } from './pod-update-errors.ts';
import { podSpecErrors } from './pod-validation.ts';

const initialStatus = (spec: JsonObject, nowMs: number): JsonObject => {
  const gated = objectsAt(spec, 'schedulingGates').length > 0;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
    lastTransitionTime: kubeTime(nowMs),
  };
  return { phase: 'Pending', ...(gated ? { conditions: [condition] } : {}), qosClass: qosClassOf(spec) };
};

/** Pods: defaults, admission, immutable spec. */
export const POD_STRATEGY: Strategy = {
  defaults: (pod) => fillPodSpec(objectIn(pod, 'spec')),
  admitCreate: admitPod,
  prepareCreate: (pod, { nowMs }) => {
    pod['status'] = initialStatus(objectIn(pod, 'spec'), nowMs);
  },
  prepareUpdate: (next, previous) => {
    keepMissing(next, previous, ['priority', 'serviceAccountName', 'serviceAccount', 'preemptionPolicy']);
    addEvictionTolerations(objectIn(next, 'spec'));
  },
  validate: (pod) => podSpecErrors(objectIn(pod, 'spec'), 'spec'),
  validateUpdate: podUpdateErrors,
};
