import { jsonList, type JsonObject, type JsonValue, numberAt, objectIn, objectsAt, plainText, textAt, valueAt } from '../../json/json.ts';
import type { ApiError } from '../../status/api-error.ts';
import { forbidden } from '../../status/refusals.ts';
import { storeKey } from '../../store/stored-object.ts';
import type { AdmissionContext } from '../strategy.ts';
import { fill } from './pod-defaults.ts';

const EVICTION_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const EVICTION_SECONDS = 300;

/**
 * The admission plugins ServiceAccount, DefaultTolerationSeconds and Priority, for a new pod. `Differs:` no token
 * volume is mounted.
 */
export const admitPod = (pod: JsonObject, context: AdmissionContext): void => {
  const spec = objectIn(pod, 'spec');
  fill(spec, { serviceAccountName: 'default' });
  requireServiceAccount(pod, spec, context);
  fill(spec, { serviceAccount: spec['serviceAccountName'] });
  addEvictionTolerations(spec);
  setPriority(pod, spec, context);
};

/** `Differs:` the account `default` need not be there: no controller makes it here. */
const requireServiceAccount = (pod: JsonObject, spec: JsonObject, context: AdmissionContext): void => {
  const name = textAt(spec, 'serviceAccountName');
  const namespace = textAt(pod, 'metadata.namespace');
  if (name === 'default' || context.get('serviceaccounts', storeKey(namespace, name)) !== undefined) return;
  const why = name.includes('/') ? `invalid resource name "${name}": [may not contain '/']` : `serviceaccount "${name}" not found`;
  throw refused(pod, `error looking up service account ${namespace}/${name}: ${why}`);
};

/** The admission plugin DefaultTolerationSeconds, of new and of changed pods. */
export const addEvictionTolerations = (spec: JsonObject): void => {
  const tolerations: JsonValue[] = [...jsonList(spec['tolerations'])];
  for (const key of EVICTION_TAINTS) {
    const tolerated = objectsAt(spec, 'tolerations').some(
      (one) => (one['key'] === key || textAt(one, 'key') === '') && ['', 'NoExecute'].includes(textAt(one, 'effect')),
    );
    if (!tolerated) tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: EVICTION_SECONDS });
  }
  spec['tolerations'] = tolerations;
};

const setPriority = (pod: JsonObject, spec: JsonObject, context: AdmissionContext): void => {
  const named = textAt(spec, 'priorityClassName');
  const priorityClass =
    named === ''
      ? context.list('priorityclasses.scheduling.k8s.io').find((one) => valueAt(one, 'globalDefault') === true)
      : context.get('priorityclasses.scheduling.k8s.io', named);
  if (priorityClass === undefined && named !== '') throw refused(pod, `no PriorityClass with name ${named} was found`);
  const priority = numberAt(priorityClass, 'value');
  const given = spec['priority'];
  if (given !== undefined && given !== priority) {
    throw refused(
      pod,
      `the integer value of priority (${plainText(given)}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  spec['priority'] = priority;
  if (priorityClass !== undefined) spec['priorityClassName'] = priorityClass.metadata.name;
  fill(spec, { preemptionPolicy: textAt(priorityClass, 'preemptionPolicy') || 'PreemptLowerPriority' });
};

const refused = (pod: JsonObject, why: string): ApiError =>
  forbidden({ group: '', plural: 'pods', kind: 'Pod' }, textAt(pod, 'metadata.name'), { why });
