import { describe, expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import { storageViewOf } from '../../cluster/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { PersistentVolumeClaim, Pod } from '../../kube/index.ts';
import { aBareNode, aBareSnapshot } from '../../cluster/testing/a-bare-cluster.ts';
import { readingClaimUsers, unboundClaimsReader } from './volume-claims.ts';
import type { ClaimUsers } from './volume-claims.ts';

interface PodOptions {
  readonly claims?: readonly string[];
  readonly made?: string;
  readonly namespace?: string;
}

const claimUser = (name: string, { claims, made, namespace }: PodOptions = {}): Pod => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(made === undefined ? {} : { creationTimestamp: made }) },
  spec: {
    containers: [{ name: 'main' }],
    ...(claims === undefined ? {} : { volumes: claims.map((claimName, at) => ({ name: `v${at}`, persistentVolumeClaim: { claimName } })) }),
  },
});

const nodeCarrying = (...pods: readonly Pod[]): NodeView => aBareNode({ pods });

const usersOf = (pendingPods: readonly Pod[], nodes: readonly NodeView[] = []): ClaimUsers =>
  finish(readingClaimUsers(aBareSnapshot({ nodes, pendingPods })));

const early = { claims: ['data'], made: '2026-01-01T00:00:00Z' };
const late = { claims: ['data'], made: '2026-01-02T00:00:00Z' };
const last = claimUser('last', { claims: ['data'], made: '2026-01-03T00:00:00Z' });

describe('who holds a claim before a pod', () => {
  test.each<[string, () => ClaimUsers, string | undefined]>([
    ['nobody, where no pod uses it', () => usersOf([claimUser('other', { claims: ['else'] })]), undefined],
    ['nobody, where the pod itself is the first', () => usersOf([last]), undefined],
    ['the older one', () => usersOf([last, claimUser('b', late), claimUser('a', late), claimUser('z', early)]), 'default/z'],
    ['of one age: the first by name', () => usersOf([last, claimUser('b', late), claimUser('a', late)]), 'default/a'],
    [
      'of one age: the first by namespace',
      () => usersOf([last, claimUser('a', { ...late, namespace: 'default' }), claimUser('b', late)]),
      'default/a',
    ],
    [
      'one whose age is not known',
      () => usersOf([last, claimUser('z', early), claimUser('unborn', { claims: ['data'] })]),
      'default/unborn',
    ],
    [
      'one whose age is not known, wherever it stands',
      () => usersOf([claimUser('unborn', { claims: ['data'] }), claimUser('z', early), last]),
      'default/unborn',
    ],
    [
      'one that runs, though a pending one is older',
      () => usersOf([claimUser('old', early), last], [nodeCarrying(claimUser('runs', late))]),
      'default/runs',
    ],
    [
      'the oldest of those that run, on whichever node',
      () => usersOf([last], [nodeCarrying(claimUser('a', late)), nodeCarrying(claimUser('b', early))]),
      'default/b',
    ],
  ])('%s', (_, users, expected) => {
    expect(users().holderBefore(last, 'default/data')).toBe(expected);
  });

  test('a pod of the same name in another namespace is another, with a claim of its own', () => {
    const users = usersOf([claimUser('web', { ...early, namespace: 'shop' }), claimUser('web', { ...late, namespace: 'home' })]);
    expect(users.isShared('shop/data')).toBe(false);
    expect(users.holderBefore(claimUser('web', { namespace: 'home' }), 'shop/data')).toBe('shop/web');
    expect(users.holderBefore(claimUser('web', { namespace: 'shop' }), 'shop/data')).toBeUndefined();
  });

  test('the order of the pods given is left as it was', () => {
    const given = [last, claimUser('z', early)];
    usersOf(given);
    expect(given[0]).toBe(last);
  });
});

describe('a claim', () => {
  test('is shared by two pods, pending or running, and by no fewer', () => {
    const users = usersOf(
      [claimUser('a', { claims: ['both', 'mine', 'mixed'] }), claimUser('b', { claims: ['both'] }), claimUser('c')],
      [nodeCarrying(claimUser('d', { claims: ['mixed'] }), claimUser('e'))],
    );
    expect(['both', 'mixed', 'mine', 'nobodys'].filter((name) => users.isShared(`default/${name}`))).toEqual(['both', 'mixed']);
  });

  test('that one pod uses in several volumes is not shared', () => {
    expect(usersOf([claimUser('a', { claims: ['data', 'other', 'data', 'data'] })]).isShared('default/data')).toBe(false);
  });

  test('counts where it is shared, exists and is not bound: each once, in order', () => {
    const claims = ['z', 'bound', 'a', 'missing', 'mine', 'bare', 'z', 'emptied'];
    const pod = claimUser('a', { claims });
    const users = usersOf([pod, claimUser('b', { claims: claims.filter((name) => name !== 'mine') })]);
    const aClaim = (name: string, spec?: PersistentVolumeClaim['spec']): PersistentVolumeClaim => ({
      metadata: { name, namespace: 'default' },
      ...(spec === undefined ? {} : { spec }),
    });
    const unbound = ['z', 'a', 'mine'].map((name) => aClaim(name, { storageClassName: 'c' }));
    const others = [aClaim('bound', { volumeName: 'v' }), aClaim('emptied', { volumeName: '' }), aClaim('bare')];
    const storage = storageViewOf({ claims: [...unbound, ...others], volumes: [], classes: [] });
    const unmadeOf = unboundClaimsReader(storage, users);
    expect(unmadeOf(pod)).toEqual(['default/a', 'default/bare', 'default/emptied', 'default/z']);
    expect(unmadeOf(claimUser('none'))).toEqual([]);
    expect(unmadeOf(claimUser('alone', { claims: ['mine'] }))).toEqual([]);
  });
});
