import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { parse } from 'yaml';
import { serviceAccountUser, type User } from '../public/access.ts';
import type { ApiServer } from '../public/api-server.ts';
import { startApiServer } from '../start-api-server.ts';

const RBAC = 'rbac.authorization.k8s.io';
const reader = serviceAccountUser('team', 'reader');

/** `group/resource` and the verbs; the core group has no name. */
const rule = (what: string, verbs: readonly string[], resourceNames?: readonly string[]): object => {
  const [group = '', ...resource] = what.split('/');
  return { apiGroups: [group], resources: [resource.join('/')], verbs, ...(resourceNames === undefined ? {} : { resourceNames }) };
};

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ clock: fakeClock(), authorization: 'RBAC' });
  server.local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
});
afterEach(() => server.close());

const tokenOf = (kubeconfig: string): string =>
  (parse(kubeconfig) as { users: readonly { user: { token: string } }[] }).users[0]?.user.token ?? '';

interface Answer {
  readonly code: number;
  readonly message: string | undefined;
}

interface Request {
  readonly method?: string;
  readonly body?: object;
  readonly type?: string;
}

const ask = async (
  token: string | undefined,
  path: string,
  { method = 'GET', body, type = 'application/json' }: Request = {},
): Promise<Answer> => {
  const headers = { 'content-type': type, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  const message = text.startsWith('{') ? (JSON.parse(text) as { message?: string }).message : text;
  return { code: response.status, message };
};

const as = (user: User): string => tokenOf(server.access.kubeconfigOf(user));

const grant = (rules: readonly object[], namespace?: string): void => {
  const [role, binding] = namespace === undefined ? ['ClusterRole', 'ClusterRoleBinding'] : ['Role', 'RoleBinding'];
  const metadata = { name: 'granted', ...(namespace === undefined ? {} : { namespace }) };
  server.local.create({ apiVersion: `${RBAC}/v1`, kind: role, metadata, rules } as never);
  const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace: 'team' }];
  const roleRef = { apiGroup: RBAC, kind: role, name: 'granted' };
  server.local.create({ apiVersion: `${RBAC}/v1`, kind: binding, metadata, roleRef, subjects } as never);
};

describe('who asks', () => {
  test('nobody may read objects, a stranger’s token is none, the kubeconfig’s owner may everything', async () => {
    expect(await ask(undefined, '/api/v1/pods')).toEqual({
      code: 403,
      message: 'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    });
    expect(await ask('stolen', '/api/v1/pods')).toMatchObject({ code: 401 });
    expect(await ask(tokenOf(server.kubeconfig()), '/api/v1/pods')).toMatchObject({ code: 200 });
  });

  test('health is public, discovery is for those who are known', async () => {
    expect((await ask(undefined, '/readyz')).code).toBe(200);
    expect(await ask(undefined, '/apis')).toEqual({ code: 403, message: 'forbidden: User "system:anonymous" cannot get path "/apis"' });
    expect((await ask(as(reader), '/apis')).code).toBe(200);
  });
});

describe('a rule allows', () => {
  const pods = '/api/v1/namespaces/team/pods';
  const leases = '/apis/coordination.k8s.io/v1/namespaces/team/leases';
  const mine = (verbs: readonly string[]): object => rule('coordination.k8s.io/leases', verbs, ['mine']);
  test.each<{ what: string; granted: object; namespace?: string; path: string; isAllowed: boolean }>([
    { what: 'its verb', granted: rule('/pods', ['list']), path: pods, isAllowed: true },
    { what: 'no other verb', granted: rule('/pods', ['list']), path: `${pods}?watch=1`, isAllowed: false },
    { what: 'no other group', granted: rule('apps/pods', ['list']), path: pods, isAllowed: false },
    { what: 'what is in its namespace', granted: rule('/pods', ['list']), namespace: 'team', path: pods, isAllowed: true },
    { what: 'nothing beyond its namespace', granted: rule('/pods', ['list']), namespace: 'team', path: '/api/v1/pods', isAllowed: false },
    { what: 'everything by stars', granted: rule('*/*', ['*']), path: pods, isAllowed: true },
    { what: 'no subresource by its resource', granted: rule('/pods', ['*']), path: `${pods}/a/status`, isAllowed: false },
    { what: 'a subresource of any resource', granted: rule('/*/status', ['get']), path: `${pods}/a/status`, isAllowed: true },
    { what: 'named objects only', granted: mine(['get']), path: `${leases}/yours`, isAllowed: false },
    { what: 'the object that it names', granted: mine(['get']), path: `${leases}/mine`, isAllowed: true },
    { what: 'a list of that one', granted: mine(['list']), path: `${leases}?fieldSelector=metadata.name%3Dmine`, isAllowed: true },
  ])('$what', async ({ granted, namespace, path, isAllowed }) => {
    grant([granted], namespace);
    // What is allowed and not there answers 404.
    expect((await ask(as(reader), path)).code !== 403).toBe(isAllowed);
  });

  test('to apply an object that is not there only with leave to create it', async () => {
    grant([rule('/configmaps', ['patch'])]);
    const request = {
      method: 'PATCH',
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    };
    expect(await ask(as(reader), '/api/v1/namespaces/default/configmaps/a?fieldManager=x', request)).toMatchObject({
      code: 403,
      message: expect.stringContaining('cannot create resource "configmaps"'),
    });
  });
});

describe('owner references, where they are held to rights', () => {
  const nodes = '/api/v1/nodes';
  const mayWrite = [rule('/nodes', ['create', 'patch']), rule('/nodes/status', ['patch'])];
  const mayDelete = [...mayWrite, rule('/nodes', ['delete'])];
  const ownedBy = (kind: string, blockOwnerDeletion: boolean): object => ({
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind, name: 'team', uid: '1', blockOwnerDeletion }] },
  });
  const waitedFor = ownedBy('Namespace', true);
  const loose = ownedBy('Namespace', false);
  const noDelete = /^nodes "a" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>$/;
  const noFinalizers =
    /^nodes "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>$/;
  const noKind =
    /^nodes "a" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Thing: no matches for kind "Thing" in version "v1"$/;

  /** Creates a node as the reader, or patches the one that is there; what is refused is the message. */
  const write = async (verb: 'create' | 'patch', body: object, path = ''): Promise<string | undefined> => {
    const metadata = { name: 'a', ...('metadata' in body ? (body.metadata as object) : {}) };
    const create = { method: 'POST', body: { ...body, metadata } };
    if (verb === 'patch') server.local.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } });
    const { code, message } =
      verb === 'create'
        ? await ask(as(reader), nodes, create)
        : await ask(as(reader), `${nodes}/a${path}`, { method: 'PATCH', type: 'application/merge-patch+json', body });
    return code < 300 ? undefined : message;
  };

  beforeEach(async () => {
    await server.close();
    server = await startApiServer({ clock: fakeClock(), authorization: 'RBAC', ownerReferencesPermissionEnforcement: true });
    server.local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  });

  test.each<{ what: string; granted: readonly object[]; verb: 'create' | 'patch'; body: object; path?: string; says: RegExp }>([
    { what: 'an owner, of what one may not delete', granted: mayWrite, verb: 'patch', body: loose, says: noDelete },
    { what: 'the same by its status', granted: mayDelete, verb: 'patch', body: loose, path: '/status', says: noDelete },
    { what: 'an owner that waits, without its finalizers', granted: mayDelete, verb: 'create', body: waitedFor, says: noFinalizers },
    { what: 'the same by a patch', granted: mayDelete, verb: 'patch', body: waitedFor, says: noFinalizers },
    { what: 'an owner that waits, of no kind', granted: mayDelete, verb: 'create', body: ownedBy('Thing', true), says: noKind },
  ])('refused: $what', async ({ granted, verb, body, path, says }) => {
    grant(granted);
    expect(await write(verb, body, path)).toMatch(says);
  });

  const mayFinalize = [...mayDelete, rule('/namespaces/finalizers', ['update'], ['team'])];
  test.each<{ what: string; granted: readonly object[]; verb: 'create' | 'patch'; body: object }>([
    { what: 'an owner of what is new', granted: mayWrite, verb: 'create', body: loose },
    { what: 'an owner of what one may delete', granted: mayDelete, verb: 'patch', body: loose },
    { what: 'an owner that waits, with its finalizers', granted: mayFinalize, verb: 'create', body: waitedFor },
    { what: 'the same by a patch', granted: mayFinalize, verb: 'patch', body: waitedFor },
    { what: 'anything else', granted: mayWrite, verb: 'patch', body: { metadata: { labels: { a: 'b' } } } },
  ])('taken: $what', async ({ granted, verb, body }) => {
    grant(granted);
    expect(await write(verb, body)).toBeUndefined();
  });

  test('the access to an owner is recorded', async () => {
    grant(mayDelete);
    await write('create', waitedFor);
    expect(server.access.accesses()).toContainEqual({
      ...{ user: reader.name, verb: 'update', group: '', resource: 'namespaces/finalizers' },
      ...{ namespace: undefined, name: 'team', wasAllowed: false },
    });
  });
});

test('a review says what the one who asks may do', async () => {
  grant([rule('/pods', ['list'])], 'team');
  const review = async (verb: string): Promise<unknown> => {
    const response = await fetch(`${server.url}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as(reader)}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb, resource: 'pods', namespace: 'team' } },
      }),
    });
    return ((await response.json()) as { status: unknown }).status;
  };
  expect([await review('list'), await review('delete')]).toEqual([{ allowed: true }, { allowed: false }]);
});

test('each access is recorded once, allowed or not', async () => {
  grant([rule('/pods', ['list'])]);
  const token = as(reader);
  for (const path of ['/api/v1/pods', '/api/v1/pods', '/api/v1/nodes']) await ask(token, path);
  const listed = { user: reader.name, verb: 'list', group: '', namespace: undefined, name: undefined };
  expect(server.access.accesses().filter(({ user }) => user === reader.name)).toEqual([
    { ...listed, resource: 'pods', wasAllowed: true },
    { ...listed, resource: 'nodes', wasAllowed: false },
  ]);
});

test('the name of an access is recorded while it is the only one', async () => {
  const namesAsked = (): readonly unknown[] =>
    server.access.accesses().flatMap(({ user, resource, name }) => (user === reader.name && resource === 'nodes' ? [name] : []));
  const token = as(reader);
  for (const path of ['/api/v1/nodes/a', '/api/v1/nodes/a']) await ask(token, path);
  expect(namesAsked()).toEqual(['a']);
  await ask(token, '/api/v1/nodes/b');
  expect(namesAsked()).toEqual([undefined]);
});
