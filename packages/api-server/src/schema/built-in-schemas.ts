import types from '../../data/kubernetes-types.json' with { type: 'json' };
import { parseDefinitions } from './parse-definitions.ts';
import type { Schema } from './schema.ts';

/**
 * Every type of the served built-in kinds, by short name (`PodSpec`; the Event of events.k8s.io is `EventsEvent`, the
 * ResourceClaim of resource.k8s.io `ApiResourceClaim`, types of autoscaling/v1 begin with `First`). Source: the types
 * and the `generated.proto` files of k8s.io/api and k8s.io/apimachinery 0.35. A status is not sent by clients that
 * create, and has no numbers.
 */
const builtIn = parseDefinitions(types);

/** Names of the protobuf fields of built-in types, by type with its package. */
export const protobufFieldNames = builtIn.fieldNames;

/** The schema of a built-in type that must exist. */
export const builtInSchema = (name: string): Schema => {
  const schema = builtIn.schemas.get(name);
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
  builtIn.schemas.get(OTHER_NAMES[`${apiVersion} ${kind}`] ?? kind);
