import type { Engine } from '../engine/engine.ts';
import { asRecord, jsonList, type JsonObject, type JsonValue, textAt } from '../json/json.ts';
import { type LabelMap, matchesLabels, selectorRequirements } from '../selectors/label-selector.ts';
import type { User } from '../public/access.ts';
import type { Resource } from '../resources/resource.ts';

const holds = (list: JsonValue | undefined, value: string): boolean => jsonList(list).some((item) => item === '*' || item === value);

const ruleMatches = (rule: JsonObject, { resource, subresource, operation, name, namespace }: AdmissionRequest): boolean => {
  const path = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  const scope = textAt(rule, 'scope') || '*';
  const names = jsonList(rule['resourceNames']);
  return (
    holds(rule['operations'], operation) &&
    holds(rule['apiGroups'], resource.group) &&
    holds(rule['apiVersions'], resource.version) &&
    jsonList(rule['resources']).some((item) => item === path || item === '*/*' || (item === '*' && subresource === undefined)) &&
    (scope === '*' || (scope === 'Namespaced') === (namespace !== undefined)) &&
    (names.length === 0 || names.includes(name))
  );
};

const selected = (selector: JsonValue | undefined, labels: LabelMap): boolean => {
  const requirements = selectorRequirements(selector);
  return requirements === undefined || matchesLabels(requirements, labels);
};

const labelsOf = (object: JsonObject | undefined): LabelMap => asRecord(asRecord(object?.['metadata'])['labels']) as LabelMap;

/** A kind without a namespace is not held to the selector of namespaces. */
const namespaceMatches = (engine: Engine, selector: JsonValue | undefined, { namespace }: AdmissionRequest): boolean =>
  namespace === undefined || selected(selector, engine.get('namespaces', namespace)?.metadata.labels);

/**
 * Whether `matchConstraints` of a policy, or `matchResources` of its binding, speak of this request. Rules are compared
 * with the version of the request only. Source: kubernetes.io, "Validating Admission Policy".
 */
export const matchesResources = (engine: Engine, match: JsonObject, request: AdmissionRequest): boolean => {
  const rules = (field: string): boolean => jsonList(match[field]).some((rule) => ruleMatches(asRecord(rule), request));
  return (
    (match['resourceRules'] === undefined || rules('resourceRules')) &&
    !rules('excludeResourceRules') &&
    namespaceMatches(engine, match['namespaceSelector'], request) &&
    // Either of the two objects is enough.
    [request.object, request.oldObject].some((object) => object !== undefined && selected(match['objectSelector'], labelsOf(object)))
  );
};

/** A write that policies may refuse. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly subresource: string | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Absent for a delete. */
  readonly object: JsonObject | undefined;
  /** Absent for a create. */
  readonly oldObject: JsonObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
}

/** The request as CEL sees it under `request`. */
export const requestValue = (request: AdmissionRequest): JsonObject => {
  const { resource, subresource, operation, name, namespace, user, dryRun } = request;
  const { group, version, kind, plural } = resource;
  return {
    kind: { group, version, kind },
    resource: { group, version, resource: plural },
    subResource: subresource ?? '',
    name,
    namespace: namespace ?? '',
    operation,
    dryRun,
    userInfo: { username: user.name, groups: [...user.groups] },
  };
};
