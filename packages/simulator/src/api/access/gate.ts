import type { IncomingHttpHeaders } from 'node:http';
import type { Access, User } from '../door/access.ts';
import type { Engine } from '../engine/engine.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { JsonObject } from '../json/json.ts';
import { ApiError } from '../status/api-error.ts';
import { keyOf } from '../store/stored-object.ts';
import type { Attributes } from './attributes.ts';
import { attributesOf } from './attributes.ts';
import { rulesFor } from './role-rules.ts';
import { ruleAllows, ruleAllowsPath } from './rule-match.ts';

/** Decides on each request of a server, and remembers what was asked. */
export interface Gate {
  /** A token that this server takes for the user. */
  issue(user: User): string;
  /** Throws an `ApiError` (`Unauthorized`) for a token that was not issued here. No token at all is the anonymous user. */
  userOf(headers: IncomingHttpHeaders): User;
  allows(user: User, attributes: Attributes): boolean;
  /** The same, remembered as something that was asked for. */
  asks(user: User, attributes: Attributes): boolean;
  /** Throws an `ApiError` (`Forbidden`). */
  passRequest(user: User, request: ApiRequest): void;
  /** Throws an `ApiError` (`Forbidden`). */
  passPath(user: User, verb: string, path: string): void;
  accesses(): readonly Access[];
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Everybody who is somebody belongs to this group. */
const AUTHENTICATED = 'system:authenticated';

/** What kubectl of the person who started the server is. */
export const ADMINISTRATOR: User = { name: 'kubernetes-admin', groups: ['system:masters'] };

const scopeOf = (namespace: string | undefined): string =>
  namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;

const refusalOf = ({ name: user }: User, { verb, group, resource, namespace, name }: Attributes): ApiError => {
  const [plural = '', ...below] = resource.split('/');
  const subject = `${plural}${group === '' ? '' : `.${group}`}${name === undefined ? '' : ` "${name}"`}`;
  const asked = `cannot ${verb} resource "${[plural, ...below].join('/')}" in API group "${group}" ${scopeOf(namespace)}`;
  const details = { ...(name === undefined ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural };
  return new ApiError('Forbidden', `${subject} is forbidden: User "${user}" ${asked}`, details);
};

/** A patch that applies an object which is not there creates it, and needs leave for that too. */
const alsoCreates = (engine: Engine, { verb, route, contentType }: ApiRequest): boolean =>
  verb === 'patch' &&
  contentType.startsWith('application/apply-patch') &&
  route.subresource === undefined &&
  engine.get(route.resource.storage, keyOf(route.namespace, route.name ?? '')) === undefined;

/** The gate of a server; with `isOpen` it lets everybody through, and remembers all the same. */
export const createGate = (engine: Engine, { isOpen }: { readonly isOpen: boolean }): Gate => {
  const users = new Map<string, User>();
  const seen = new Map<string, Access>();
  const isAllowed = (user: User, namespace: string | undefined, test: (rule: JsonObject) => boolean): boolean =>
    isOpen || user.groups.includes('system:masters') || rulesFor(engine, user, namespace).some(test);
  const allows = (user: User, attributes: Attributes): boolean =>
    isAllowed(user, attributes.namespace, (rule) => ruleAllows(rule, attributes));
  const asks = (user: User, attributes: Attributes): boolean => {
    const { name, ...asked } = attributes;
    const wasAllowed = allows(user, attributes);
    const access = { user: user.name, ...asked, wasAllowed };
    const key = JSON.stringify(access);
    const before = seen.get(key);
    if (before === undefined) seen.set(key, { ...access, name });
    else if (before.name !== name) seen.set(key, { ...access, name: undefined });
    return wasAllowed;
  };
  const pass = (user: User, attributes: Attributes): void => {
    if (!asks(user, attributes)) throw refusalOf(user, attributes);
  };
  return {
    issue: (user) => {
      const token = `token-${users.size + 1}-${Math.floor(engine.random() * 1e9).toString(36)}`;
      users.set(token, { ...user, groups: [...user.groups, AUTHENTICATED] });
      return token;
    },
    userOf: ({ authorization }) => {
      if (authorization === undefined) return ANONYMOUS;
      const user = users.get(authorization.replace(/^Bearer /i, ''));
      if (user === undefined && isOpen) return ANONYMOUS;
      if (user === undefined) throw new ApiError('Unauthorized', 'Unauthorized');
      return user;
    },
    allows,
    asks,
    passRequest: (user, request) => {
      const attributes = attributesOf(request);
      pass(user, attributes);
      if (alsoCreates(engine, request)) pass(user, { ...attributes, verb: 'create', name: undefined });
    },
    passPath: (user, verb, path) => {
      if (isAllowed(user, undefined, (rule) => ruleAllowsPath(rule, verb, path))) return;
      throw new ApiError('Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"`);
    },
    accesses: () => [...seen.values()],
  };
};
