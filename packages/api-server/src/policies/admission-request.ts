import type { User } from '../public/access.ts';
import type { JsonObject } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';

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
