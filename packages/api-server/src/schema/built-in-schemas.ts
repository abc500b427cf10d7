import { CORE } from './definitions/core.ts';
import { DEVICES } from './definitions/devices.ts';
import { META } from './definitions/meta.ts';
import { PLATFORM } from './definitions/platform.ts';
import { POD } from './definitions/pod.ts';
import { SERVING } from './definitions/serving.ts';
import { VOLUME } from './definitions/volume.ts';
import { WORKLOADS } from './definitions/workloads.ts';
import { parseDefinitions } from './parse-definitions.ts';
import type { Schema } from './schema.ts';

/**
 * Every type of the served built-in kinds, by short name (`PodSpec`; the Event of events.k8s.io is `EventsEvent`, the
 * ResourceClaim of resource.k8s.io `ApiResourceClaim`, types of autoscaling/v1 begin with `First`).
 */
const builtInSchemas: ReadonlyMap<string, Schema> = parseDefinitions(META, POD, VOLUME, CORE, WORKLOADS, PLATFORM, SERVING, DEVICES);

/** The schema of a built-in type that must exist. */
export const builtInSchema = (name: string): Schema => {
  const schema = builtInSchemas.get(name);
  if (schema === undefined) throw new Error(`no built-in type named ${name}`);
  return schema;
};

/** Kinds whose schema has another name, because that of theirs is taken. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'events.k8s.io/v1 Event': 'EventsEvent',
  'resource.k8s.io/v1 ResourceClaim': 'ApiResourceClaim',
  'autoscaling/v1 HorizontalPodAutoscaler': 'FirstHorizontalPodAutoscaler',
};

/** The schema of a built-in kind; undefined for one that is not known. */
export const schemaOfKind = (apiVersion: string, kind: string): Schema | undefined =>
  builtInSchemas.get(OTHER_NAMES[`${apiVersion} ${kind}`] ?? kind);
