import type { IncomingHttpHeaders } from 'node:http';
import type { Access, User } from '../public/access.ts';
import type { Engine } from '../engine/engine.ts';
import { type ApiRequest, isApply } from '../http/api-request.ts';
import type { JsonObject } from '../json/json.ts';
import { ApiError } from '../status/api-error.ts';
import { storeKey } from '../store/stored-object.ts';
import { type Attributes, attributesOf } from './attributes.ts';
import { ruleAllows, ruleAllowsPath, rulesFor } from './role-rules.ts';

/** Authorizes each request of a server, and records it. */
export interface Gate {
  /** A token that this server takes for the user. */
  issue(user: User): string;
  /**
   * Who asks, or whom he asks to be taken for (`Impersonate-User`). Throws an `ApiError`: `Unauthorized` for a token
   * that was not issued here, `Forbidden` for who may not play another. No token at all is the anonymous user.
   */
  userOf(headers: IncomingHttpHeaders): User;
  /** The user of a token that was issued here. */
  userOfToken(token: string): User | undefined;
  allows(user: User, attributes: Attributes): boolean;
  /** The same, and records the access. */
  asks(user: User, attributes: Attributes): boolean;
  allowsPath(user: User, verb: string, path: string): boolean;
  /** The rules (`PolicyRule`) that hold for a user in a namespace. */
  rulesOf(user: User, namespace: string): readonly JsonObject[];
  /** Throws an `ApiError` (`Forbidden`), and remembers nothing. */
  requireAllowed(user: User, attributes: Attributes): void;
  /** Throws an `ApiError` (`Forbidden`). */
  passRequest(user: User, request: ApiRequest): void;
  /** Throws an `ApiError` (`Forbidden`). */
  passPath(user: User, verb: string, path: string): void;
  accesses(): readonly Access[];
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The rules of an administrator. */
const EVERYTHING: readonly JsonObject[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** Everybody who is somebody belongs to this group. */
const AUTHENTICATED = 'system:authenticated';

/** What kubectl of the person who started the server is. */
export const ADMINISTRATOR: User = { name: 'kubernetes-admin', groups: ['system:masters'] };

const textOf = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

const playedUser = (headers: IncomingHttpHeaders): User | undefined => {
  const name = textOf(headers['impersonate-user']);
  if (name === undefined) return undefined;
  const [, , namespace = ''] = name.startsWith('system:serviceaccount:') ? name.split(':') : [];
  const own = namespace === '' ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const given = textOf(headers['impersonate-group'])?.split(', ') ?? own;
  return { name, groups: [...given, AUTHENTICATED] };
};

const impersonating = ({ name }: User): Attributes => ({ verb: 'impersonate', group: '', resource: 'users', namespace: undefined, name });

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
  isApply({ contentType }) &&
  route.subresource === undefined &&
  engine.get(route.resource.storage, storeKey(route.namespace, route.name ?? '')) === undefined;

const attributesAsked = (engine: Engine, request: ApiRequest): readonly Attributes[] => {
  const attributes = attributesOf(request);
  return alsoCreates(engine, request) ? [attributes, { ...attributes, verb: 'create', name: undefined }] : [attributes];
};

const pathRefusal = ({ name }: User, verb: string, path: string): ApiError =>
  new ApiError('Forbidden', `forbidden: User "${name}" cannot ${verb} path "${path}"`, {});

/** Throws an `ApiError` (`Unauthorized`) for a token that is not among the users', unless everybody is let through. */
const userWithToken = ({ authorization }: IncomingHttpHeaders, users: ReadonlyMap<string, User>, isOpen: boolean): User => {
  const user = authorization === undefined ? ANONYMOUS : users.get(authorization.replace(/^Bearer /i, ''));
  if (user === undefined && !isOpen) throw new ApiError('Unauthorized', 'Unauthorized');
  return user ?? ANONYMOUS;
};

/** The gate of a server; with `isOpen` it lets everybody through, and remembers all the same. */
export const createGate = (engine: Engine, { isOpen }: { readonly isOpen: boolean }): Gate => {
  const users = new Map<string, User>();
  const log = createAccessLog();
  const mayAll = (user: User): boolean => isOpen || user.groups.includes('system:masters');
  const isAllowed = (user: User, namespace: string | undefined, test: (rule: JsonObject) => boolean): boolean =>
    mayAll(user) || rulesFor(engine, user, namespace).some(test);
  const allows = (user: User, attributes: Attributes): boolean =>
    isAllowed(user, attributes.namespace, (rule) => ruleAllows(rule, attributes));
  const asks = (user: User, attributes: Attributes): boolean => {
    const wasAllowed = allows(user, attributes);
    log.note(user, attributes, wasAllowed);
    return wasAllowed;
  };
  const pass = (user: User, attributes: Attributes): void => {
    if (!asks(user, attributes)) throw refusalOf(user, attributes);
  };
  const allowsPath = (user: User, verb: string, path: string): boolean =>
    isAllowed(user, undefined, (rule) => ruleAllowsPath(rule, verb, path));
  const requireAllowed = (user: User, attributes: Attributes): void => {
    if (!allows(user, attributes)) throw refusalOf(user, attributes);
  };
  return {
    issue: (user) => {
      const token = `token-${users.size + 1}-${Math.floor(engine.random() * 1e9).toString(36)}`;
      users.set(token, { ...user, groups: [...user.groups, AUTHENTICATED] });
      return token;
    },
    userOf: (headers) => {
      const [user, played] = [userWithToken(headers, users, isOpen), playedUser(headers)];
      if (played !== undefined) requireAllowed(user, impersonating(played));
      return played ?? user;
    },
    userOfToken: (token) => users.get(token),
    allows,
    asks,
    allowsPath,
    rulesOf: (user, namespace) => (mayAll(user) ? EVERYTHING : rulesFor(engine, user, namespace)),
    requireAllowed,
    passRequest: (user, request) => {
      for (const attributes of attributesAsked(engine, request)) pass(user, attributes);
    },
    passPath: (user, verb, path) => {
      if (!allowsPath(user, verb, path)) throw pathRefusal(user, verb, path);
    },
    accesses: () => log.accesses(),
  };
};

/** The accesses so far, each once, in the order of its first request. */
export interface AccessLog {
  /** Records an access. Its name stays until the same access comes with another name. */
  note(user: User, attributes: Attributes, wasAllowed: boolean): void;
  accesses(): readonly Access[];
}

/** An empty log. */
const createAccessLog = (): AccessLog => {
  const seen = new Map<string, Access>();
  return {
    note: (user, { name, ...asked }, wasAllowed) => {
      const access = { user: user.name, ...asked, wasAllowed };
      const key = JSON.stringify(access);
      const before = seen.get(key);
      if (before === undefined) seen.set(key, { ...access, name });
      else if (before.name !== name) seen.set(key, { ...access, name: undefined });
    },
    accesses: () => [...seen.values()],
  };
};
