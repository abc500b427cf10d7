import { kubeTime } from '@karpenter/runtime';
import { asRecord, isObject, jsonEqual, type JsonObject, numberAt, objectIn, objectsAt, textAt, valueAt } from '../../json/json.ts';
import { forbiddenField, invalidValue, requiredAt } from '../../status/field-error.ts';
import { asJson, type StoredObject } from '../../store/stored-object.ts';
import { type Check, errorsOf, labelKey, percentOfAllOrCount, present, unchanged } from '../../validation/checks.ts';
import type { Strategy } from '../strategy.ts';
import { fill } from './pod-defaults.ts';

const frozen =
  (...fields: readonly string[]) =>
  (next: JsonObject, previous: StoredObject) =>
    fields
      .filter((field) => !jsonEqual(valueAt(next, field), valueAt(previous, field)))
      .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`));

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

const CLAIM_KEPT = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** The part of a claim that an update may not change: a volume and a class may come, and a bound claim may grow. */
const settled = (claim: JsonObject, previous: StoredObject): JsonObject => {
  const [before, { volumeName, storageClassName, ...spec }] = [asRecord(previous['spec']), asRecord(claim['spec'])];
  return {
    ...spec,
    ...(before['volumeName'] === undefined ? {} : { volumeName }),
    ...(before['storageClassName'] === undefined ? {} : { storageClassName }),
    ...(textAt(previous, 'status.phase') === 'Bound' ? { resources: undefined, volumeAttributesClassName: undefined } : {}),
  };
};

const atMost =
  (most: number): Check =>
  (object, member, at) =>
    textAt(object, member).length > most ? [invalidValue(at, '', `can have at most ${most} characters`)] : [];

const EVENT_TYPE: Check = (event, member, at) => {
  const type = textAt(event, member);
  return ['Normal', 'Warning'].includes(type) ? [] : [invalidValue(at, '', `has invalid value: ${type}`)];
};

/** Events of events.k8s.io, in the form in which they are stored: who reports, and why, must be said. */
export const NEW_EVENT_STRATEGY: Strategy = {
  validate: (event) => [
    ...(event['eventTime'] === null ? [requiredAt('eventTime')] : []),
    ...errorsOf(
      event,
      {
        reportingInstance: [present(), atMost(128)],
        action: [present(), atMost(128)],
        reason: [present(), atMost(128)],
        type: [EVENT_TYPE],
      },
      '',
    ),
    ...errorsOf({ reportingController: event['reportingComponent'] }, { reportingController: [present(), labelKey] }, ''),
    ...errorsOf({ note: event['message'] }, { note: [atMost(1024)] }, ''),
  ],
};

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].map((member) => `status.${member}`);

/** PodDisruptionBudgets. */
const DISRUPTION_BUDGET_STRATEGY: Strategy = {
  validate: (budget) => [
    ...(valueAt(budget, 'spec.minAvailable') !== undefined && valueAt(budget, 'spec.maxUnavailable') !== undefined
      ? [invalidValue('spec', budget['spec'], 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...COUNTS.map((member) => ({ member, count: numberAt(budget, member) }))
      .filter(({ count }) => count < 0)
      .map(({ member, count }) => invalidValue(member, count, 'must be greater than or equal to 0')),
    ...errorsOf(objectIn(budget, 'spec'), { minAvailable: [percentOfAllOrCount], maxUnavailable: [percentOfAllOrCount] }, 'spec'),
  ],
};

/** A request without a count requests one device. */
const fillRequest = (request: JsonObject): void => {
  if ([undefined, 'ExactCount'].includes(request['allocationMode'] as string | undefined)) fill(request, { count: 1 });
};

const fillRequests =
  (at: string) =>
  (object: JsonObject): void => {
    for (const request of objectsAt(object, `${at}.devices.requests`)) {
      const exactly = valueAt(request, 'exactly');
      for (const each of [...(isObject(exactly) ? [exactly] : []), ...objectsAt(request, 'firstAvailable')]) fillRequest(each);
    }
  };

/** Storage, leases, priorities, disruption budgets, network policies, events and claims of devices. */
export const PLATFORM_STRATEGIES: Readonly<Record<string, Strategy>> = {
  StorageClass: {
    validateUpdate: (next, previous) => [
      ...frozen('provisioner', 'parameters', 'reclaimPolicy')(next, previous),
      ...unchanged('volumeBindingMode')(next, previous),
    ],
  },
  PriorityClass: {
    validateUpdate: (next, previous) =>
      numberAt(next, 'value') === numberAt(previous, 'value') ? [] : [forbiddenField('value', 'may not be changed in an update.')],
  },
  PersistentVolume: {
    prepareCreate: (object, context) => {
      object['status'] = { phase: 'Pending', lastPhaseTransitionTime: kubeTime(context.nowMs) };
    },
  },
  /** PersistentVolumeClaims: the default storage class is filled in. */
  PersistentVolumeClaim: {
    admitCreate: (object, context) => {
      const isDefault = context
        .list('storageclasses.storage.k8s.io')
        .find(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true');
      if (isDefault !== undefined) fill(objectIn(object, 'spec'), { storageClassName: isDefault.metadata.name });
    },
    validateUpdate: (next, previous) =>
      jsonEqual(settled(next, previous), settled(asJson(previous), previous)) ? [] : [forbiddenField('spec', CLAIM_KEPT)],
  },
  NetworkPolicy: {
    defaults: (object) => {
      const spec = objectIn(object, 'spec');
      fill(spec, { policyTypes: spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'] });
    },
  },
  /** Events: the namespace of the event is that of its object. */
  Event: {
    validate: (event) => {
      const involved = textAt(event, 'involvedObject.namespace') || 'default';
      return involved === textAt(event, 'metadata.namespace')
        ? []
        : [invalidValue('involvedObject.namespace', textAt(event, 'involvedObject.namespace'), 'does not match event.namespace')];
    },
  },
  PodDisruptionBudget: DISRUPTION_BUDGET_STRATEGY,
  ResourceClaim: { defaults: fillRequests('spec'), validateUpdate: unchanged('spec') },
  ResourceClaimTemplate: {
    defaults: (object) => {
      if (isObject(object['spec'])) fill(object['spec'], { metadata: {} });
      fillRequests('spec.spec')(object);
    },
    validateUpdate: unchanged('spec'),
  },
};
