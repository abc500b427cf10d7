import { createHash } from 'node:crypto';
import type { Registry } from '../engine/registry.ts';
import type { JsonObject } from '../json/json.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';
import { definitionName, definitionsOf } from './definitions-document.ts';
import { type PathDialect, pathsOf } from './resource-paths.ts';

const REF = '#/components/schemas/';

const documentPath = (resource: Resource): string => (resource.group === '' ? 'api/v1' : `apis/${apiVersionIn(resource)}`);

const content = (resource: Resource): JsonObject => ({ 'application/json': { schema: { $ref: `${REF}${definitionName(resource)}` } } });

const DIALECT: PathDialect = {
  parameter: (name, type, where) => ({ name, in: where, ...(where === 'path' ? { required: true } : {}), schema: { type } }),
  body: (resource) => ({ requestBody: { content: content(resource) } }),
  answer: (resource) => ({ description: 'OK', content: content(resource) }),
};

/** `/openapi/v3`: where the document of each group and version is. */
export const openApiIndex = (registry: Registry): JsonObject => {
  const hash = createHash('sha256').update(String(registry.revision)).digest('hex').toUpperCase();
  const paths = new Set(registry.all().map(documentPath));
  return { paths: Object.fromEntries([...paths].map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }])) };
};

/** The document of one group and version, by its path (`apis/apps/v1`); undefined when nothing is served there. */
export const openApiV3 = (registry: Registry, path: string): JsonObject | undefined => {
  const resources = registry.all().filter((resource) => documentPath(resource) === path);
  if (resources.length === 0) return undefined;
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.35.0' },
    paths: Object.assign({}, ...resources.map((resource) => pathsOf(resource, DIALECT))) as JsonObject,
    components: { schemas: definitionsOf(resources, { refPrefix: REF }) },
  };
};
