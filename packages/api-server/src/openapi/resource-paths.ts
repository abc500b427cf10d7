import type { JsonObject, JsonValue } from '../json/json.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';
import { gvk } from './definitions-document.ts';

/** How a document writes parameters and bodies. */
export interface PathDialect {
  readonly parameter: (name: string, type: string, where: 'query' | 'path') => JsonObject;
  readonly body: (resource: Resource) => JsonObject;
  readonly answer: (resource: Resource) => JsonObject;
}

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];

const basePath = (resource: Resource): string => {
  const root = resource.group === '' ? '/api/v1' : `/apis/${apiVersionIn(resource)}`;
  return resource.namespaced ? `${root}/namespaces/{namespace}/${resource.plural}` : `${root}/${resource.plural}`;
};

const operation = (resource: Resource, action: string, dialect: PathDialect): JsonObject => {
  const query: JsonValue[] = ['post', 'put', 'patch'].includes(action)
    ? WRITE.map((name) => dialect.parameter(name, 'string', 'query'))
    : [];
  if (action === 'patch') query.push(dialect.parameter('force', 'boolean', 'query'));
  if (action === 'delete') query.push(dialect.parameter('dryRun', 'string', 'query'));
  const writes = query.length > 0;
  return {
    operationId: `${action}${resource.namespaced ? 'Namespaced' : ''}${resource.kind}_${apiVersionIn(resource)}`,
    ...(writes ? dialect.body(resource) : {}),
    parameters: query,
    responses: { '200': dialect.answer(resource) },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk(resource),
  };
};

/** The paths of a resource: where kubectl finds dry-run and field validation. */
export const pathsOf = (resource: Resource, dialect: PathDialect): JsonObject => {
  const base = basePath(resource);
  const namespace = resource.namespaced ? [dialect.parameter('namespace', 'string', 'path')] : [];
  const operations = (...actions: readonly string[]): JsonObject =>
    Object.fromEntries(actions.map((action) => [action, operation(resource, action, dialect)]));
  return {
    [base]: { ...operations('get', 'post', 'delete'), parameters: namespace },
    [`${base}/{name}`]: {
      ...operations('get', 'put', 'patch', 'delete'),
      parameters: [dialect.parameter('name', 'string', 'path'), ...namespace],
    },
  };
};
