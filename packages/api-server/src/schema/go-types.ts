import type { Schema } from './schema.ts';

/** Strings that have a Go type of their own, as `field` or, where one name has several, `Struct.field`. */
const NAMED_STRINGS: Readonly<Record<string, string>> = {
  accessModes: 'PersistentVolumeAccessMode',
  concurrencyPolicy: 'ConcurrencyPolicy',
  dnsPolicy: 'DNSPolicy',
  effect: 'TaintEffect',
  imagePullPolicy: 'PullPolicy',
  nodeAffinityPolicy: 'NodeInclusionPolicy',
  nodeTaintsPolicy: 'NodeInclusionPolicy',
  persistentVolumeReclaimPolicy: 'PersistentVolumeReclaimPolicy',
  podManagementPolicy: 'PodManagementPolicyType',
  preemptionPolicy: 'PreemptionPolicy',
  protocol: 'Protocol',
  reclaimPolicy: 'PersistentVolumeReclaimPolicy',
  terminationMessagePolicy: 'TerminationMessagePolicy',
  unhealthyPodEvictionPolicy: 'UnhealthyPodEvictionPolicyType',
  volumeBindingMode: 'VolumeBindingMode',
  volumeMode: 'PersistentVolumeMode',
  whenUnsatisfiable: 'UnsatisfiableConstraintAction',
  'Container.restartPolicy': 'ContainerRestartPolicy',
  'DeploymentStrategy.type': 'DeploymentStrategyType',
  'LabelSelectorRequirement.operator': 'LabelSelectorOperator',
  'NodeSelectorRequirement.operator': 'NodeSelectorOperator',
  'PodSpec.restartPolicy': 'RestartPolicy',
  'Toleration.operator': 'TolerationOperator',
};

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
};

/** `PodSpec` of `io.k8s.api.core.v1.PodSpec`; empty for what has no name. */
export const structName = ({ definition = '' }: Schema): string => definition.slice(definition.lastIndexOf('.') + 1);

/** The Go type of the field of a struct, as the messages of the decoder name it. */
export const goTypeOf = (schema: Schema, struct: string, field: string): string => {
  if (schema.type === 'array' && schema.items !== undefined) return `[]${goTypeOf(schema.items, struct, field)}`;
  if (typeof schema.additionalProperties === 'object') return mapType(goTypeOf(schema.additionalProperties, struct, field));
  if (schema.format === 'date-time') return 'string';
  if (schema.format === 'int-or-string') return 'int32';
  if (schema.definition !== undefined) return schema.definition.split('.').slice(-2).join('.');
  return scalarType(schema, NAMED_STRINGS[`${struct}.${field}`] ?? NAMED_STRINGS[field]);
};

const mapType = (value: string): string => (value === 'resource.Quantity' ? 'v1.ResourceList' : `map[string]${value}`);

const scalarType = ({ type = 'string', format = type }: Schema, name: string | undefined): string => {
  if (type === 'string' && name !== undefined) return `v1.${name}`;
  return SCALARS[format] ?? 'string';
};
