import { isObject, jsonList, type JsonObject, plainText, textAt, valueAt } from '../json/json.ts';
import { duplicate, type FieldError, forbiddenField, invalidValue, unsupported } from '../status/field-error.ts';
import {
  type Check,
  errorsOf,
  countable,
  type FieldChecks,
  ifGiven,
  ifWritten,
  inBounds,
  isOneOf,
  labelKey,
  percentOrCount,
  positive,
  present,
  uniqueBy,
  validName,
} from './checks.ts';
import { nameProblems } from './names.ts';
import { labelSelectorErrors, nodeSelectorTermErrors, repeatedTopologies, topologyErrors } from './selector-rules.ts';
import { claimSpecErrors, driverErrors, volumeSpecErrors } from './storage-rules.ts';
import { tolerationErrors } from './toleration-rules.ts';

/** What is wrong with a struct of a built-in kind, apart from the structs in it; `at` is its path. */
export type StructRule = (object: JsonObject, at: string) => readonly FieldError[];

const checks =
  (table: FieldChecks): StructRule =>
  (object, at) =>
    errorsOf(object, table, at);

/** Another rule of the kind says what is wrong with these, under other paths. */
const elsewhere: StructRule = () => [];

const PORT = inBounds(1, 65_535, 'must be between 1 and 65535, inclusive');
const WEIGHT = inBounds(1, 100, 'must be in the range 1-100');
const TERM = 'must have at least one node selector term';
const ONLY_HARD = 'can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ';
const INCLUSION = ifGiven(isOneOf('Honor', 'Ignore'));

const spreadErrors: StructRule = (constraint, at) => [
  ...errorsOf(
    constraint,
    {
      maxSkew: [positive],
      topologyKey: [present('can not be empty')],
      whenUnsatisfiable: [isOneOf('DoNotSchedule', 'ScheduleAnyway')],
      minDomains: [ifGiven(positive)],
      nodeAffinityPolicy: [INCLUSION],
      nodeTaintsPolicy: [INCLUSION],
    },
    at,
  ),
  ...(constraint['minDomains'] !== undefined && textAt(constraint, 'whenUnsatisfiable') !== 'DoNotSchedule'
    ? [invalidValue(`${at}.minDomains`, constraint['minDomains'], ONLY_HARD + textAt(constraint, 'whenUnsatisfiable'))]
    : []),
];

const podAffinityTermErrors: StructRule = (term, at) => [
  ...errorsOf(term, { topologyKey: [present('can not be empty'), labelKey] }, at),
  ...jsonList(term['namespaces']).flatMap((name) =>
    nameProblems(plainText(name), 'label').map((words) => invalidValue(`${at}.namespace`, name, words)),
  ),
];

const strategyType: Check = (spec, member, at) => {
  const type = textAt(spec, `${member}.type`);
  const rolling = valueAt(spec, `${member}.rollingUpdate`);
  if (type === 'Recreate' && rolling !== undefined)
    return [forbiddenField(`${at}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  if (['Recreate', 'RollingUpdate'].includes(type)) return [];
  const shown = isObject(rolling) ? { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 } : null;
  return [unsupported(at, { Type: type, RollingUpdate: shown }, ['Recreate', 'RollingUpdate'])];
};

const LONGEST_NODE_ID = 256;

const nodeId: Check = (driver, member, at) =>
  textAt(driver, member).length > LONGEST_NODE_ID
    ? [invalidValue(at, driver[member], `must be ${LONGEST_NODE_ID} characters or less`)]
    : [];

const STORAGE_CLASS: FieldChecks = {
  provisioner: [present(), ifWritten((object, member, at) => labelKey({ [member]: textAt(object, member).toLowerCase() }, member, at))],
  volumeBindingMode: [isOneOf('Immediate', 'WaitForFirstConsumer')],
  reclaimPolicy: [ifWritten(isOneOf('Delete', 'Retain'))],
};

/** By the name of the struct. What is not here must have its required members and nothing else. */
export const STRUCT_RULES: Readonly<Record<string, StructRule>> = {
  // Pods
  ContainerPort: checks({
    name: [ifWritten(validName('portName'))],
    containerPort: [
      (port, member, at) => (port[member] === undefined || port[member] === 0 ? present()({}, member, at) : PORT(port, member, at)),
    ],
    hostPort: [ifGiven(PORT)],
    protocol: [isOneOf('SCTP', 'TCP', 'UDP')],
  }),
  Toleration: tolerationErrors,
  TopologySpreadConstraint: spreadErrors,
  LabelSelector: labelSelectorErrors,
  LabelSelectorRequirement: elsewhere,
  NodeSelector: checks({ nodeSelectorTerms: [present(TERM)] }),
  NodeSelectorTerm: nodeSelectorTermErrors,
  NodeSelectorRequirement: elsewhere,
  PreferredSchedulingTerm: checks({ weight: [WEIGHT] }),
  WeightedPodAffinityTerm: checks({ weight: [WEIGHT] }),
  PodAffinityTerm: podAffinityTermErrors,
  PodSchedulingGate: elsewhere,
  // Nodes, leases and budgets
  Taint: elsewhere,
  LeaseSpec: checks({
    leaseDurationSeconds: [ifGiven(inBounds(1, Number.POSITIVE_INFINITY, 'must be greater than 0'))],
    leaseTransitions: [countable],
  }),
  PodDisruptionBudgetSpec: checks({ unhealthyPodEvictionPolicy: [ifGiven(isOneOf('AlwaysAllow', 'IfHealthyBudget'))] }),
  // Workloads
  RollingUpdateDeployment: checks({ maxSurge: [percentOrCount], maxUnavailable: [percentOrCount] }),
  DeploymentSpec: checks({ selector: [present()], strategy: [strategyType] }),
  DaemonSetSpec: elsewhere,
  StatefulSetSpec: checks({ selector: [present()], serviceName: [ifWritten(validName('label'))] }),
  // Storage
  PersistentVolumeClaimSpec: claimSpecErrors,
  PersistentVolumeSpec: volumeSpecErrors,
  VolumeNodeAffinity: checks({ required: [present('must specify required node constraints')] }),
  CSIPersistentVolumeSource: (csi, at) => [...driverErrors(csi, 'driver', at), ...errorsOf(csi, { volumeHandle: [present()] }, at)],
  StorageClass: (object, at) => [...errorsOf(object, STORAGE_CLASS, at), ...repeatedTopologies(object, at)],
  TopologySelectorLabelRequirement: topologyErrors,
  CSINode: elsewhere,
  CSINodeSpec: checks({ drivers: [uniqueBy('name')] }),
  CSINodeDriver: (driver, at) => [
    ...driverErrors(driver, 'name', at),
    ...errorsOf(driver, { nodeID: [present(), nodeId] }, at),
    ...topologyKeyErrors(driver, at),
  ],
  VolumeNodeResources: checks({ count: [ifGiven(countable)] }),
  // The rest
  PriorityClass: checks({
    preemptionPolicy: [
      (object, member, at) => (textAt(object, member) === '' ? present() : isOneOf('PreemptLowerPriority', 'Never'))(object, member, at),
    ],
  }),
  Event: elsewhere,
};

const topologyKeyErrors: StructRule = (driver, at) => {
  const keys = jsonList(driver['topologyKeys']).map(plainText);
  return keys.flatMap((key, index) => [
    ...(key === '' ? present()({}, 'key', at) : []),
    ...labelKey({ key }, 'key', at),
    ...(keys.indexOf(key) < index ? [duplicate(at, key)] : []),
  ]);
};
