import type { Registry } from '../engine/registry.ts';
import type { JsonObject } from '../json/json.ts';
import { definitionName, definitionsOf } from './definitions-document.ts';
import { type PathDialect, pathsOf } from './resource-paths.ts';

const REF = '#/definitions/';

const DIALECT: PathDialect = {
  parameter: (name, type, where) => ({ name, in: where, type, uniqueItems: true, ...(where === 'path' ? { required: true } : {}) }),
  body: () => ({}),
  answer: (resource) => ({ description: 'OK', schema: { $ref: `${REF}${definitionName(resource)}` } }),
};

/** `/openapi/v2`: one document for everything that is served. */
export const openApiV2 = (registry: Registry): JsonObject => {
  const resources = registry.all();
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.35.0' },
    paths: Object.assign({}, ...resources.map((resource) => pathsOf(resource, DIALECT))) as JsonObject,
    definitions: definitionsOf(resources, { refPrefix: REF }),
  };
};
