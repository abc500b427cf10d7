import type { JsonObject, JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import { structName } from './go-types.ts';
import type { Schema } from './schema.ts';
import { memberSchema } from './schema.ts';

/** Members that Go writes even when they are empty, and what it writes. */
const ALWAYS: Readonly<Record<string, JsonObject>> = {
  CSINodeDriver: { topologyKeys: null },
  CSINodeSpec: { drivers: null },
  DeploymentCondition: { lastUpdateTime: null, lastTransitionTime: null },
  NodeCondition: { lastHeartbeatTime: null, lastTransitionTime: null },
  NodeStatus: {
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    nodeInfo: {
      architecture: '',
      bootID: '',
      containerRuntimeVersion: '',
      kernelVersion: '',
      kubeProxyVersion: '',
      kubeletVersion: '',
      machineID: '',
      operatingSystem: '',
      osImage: '',
      systemUUID: '',
    },
  },
  PersistentVolumeClaimSpec: { resources: {} },
  PodCondition: { lastProbeTime: null, lastTransitionTime: null },
  PreferredSchedulingTerm: { preference: {} },
  PriorityClass: { value: 0 },
  StatefulSetSpec: { serviceName: '' },
  WeightedPodAffinityTerm: { podAffinityTerm: {} },
};

/** Optional texts that are pointers in Go: an empty one is not a missing one. */
const EMPTY_TEXTS_KEPT = new Set([
  'holderIdentity',
  'ingressClassName',
  'nodeAffinityPolicy',
  'nodeTaintsPolicy',
  'preemptionPolicy',
  'reclaimPolicy',
  'runtimeClassName',
  'subPathExpr',
  'unhealthyPodEvictionPolicy',
  'volumeAttributesClassName',
  'volumeBindingMode',
  'PersistentVolumeClaimSpec.storageClassName',
  'Container.restartPolicy',
]);

/** Optional numbers and booleans that are no pointers in Go: zero and false are not written. */
const ZEROS_DROPPED = new Set([
  'globalDefault',
  'Event.count',
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'hostPort',
  'initialDelaySeconds',
  'minReadySeconds',
  'paused',
  'stdin',
  'stdinOnce',
  'tty',
  'unschedulable',
  'VolumeMount.readOnly',
]);

type Visit = (object: JsonObject, schema: Schema) => void;

/** Visits every struct of a typed object, the outer one before those in it. */
const eachStruct = (value: JsonValue, schema: Schema, visit: Visit): void => {
  if (Array.isArray(value) && schema.items !== undefined) for (const item of value) eachStruct(item, schema.items, visit);
  if (!isObject(value)) return;
  if (typeof schema.additionalProperties !== 'object') visit(value, schema);
  for (const [name, member] of Object.entries(value)) {
    const declared = memberSchema(schema, name);
    if (declared !== undefined && member !== undefined) eachStruct(member, declared, visit);
  }
};

/** Takes away, in place, what Go does not write because it is empty. */
export const dropEmpty = (object: JsonObject, schema: Schema): void => {
  eachStruct(object, schema, (struct, type) => {
    for (const [name, member] of Object.entries(struct)) {
      const declared = memberSchema(type, name);
      const isOptional = type.required?.includes(name) !== true;
      const names = [name, `${structName(type)}.${name}`];
      if (declared !== undefined && member !== undefined && isOptional && isDropped(member, declared, names))
        Reflect.deleteProperty(struct, name);
    }
  });
};

/** Adds, in place, what Go writes although nothing was given. */
export const addZeros = (object: JsonObject, schema: Schema): void => {
  if (schema.properties?.['spec'] !== undefined) object['spec'] ??= {};
  eachStruct(object, schema, (struct, type) => {
    for (const [name, empty] of Object.entries(ALWAYS[structName(type)] ?? {})) struct[name] ??= structuredClone(empty);
  });
};

const isDropped = (value: JsonValue, schema: Schema, names: readonly string[]): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return typeof schema.additionalProperties === 'object' && Object.keys(value).length === 0;
  if (value === '') return schema.format !== 'int-or-string' && !names.some((name) => EMPTY_TEXTS_KEPT.has(name));
  return (value === 0 || value === false) && names.some((name) => ZEROS_DROPPED.has(name));
};

/** What Go writes for an empty struct: its required numbers. */
export const emptyStruct = (schema: Schema): JsonObject =>
  Object.fromEntries((schema.required ?? []).filter((name) => schema.properties?.[name]?.type === 'integer').map((name) => [name, 0]));
