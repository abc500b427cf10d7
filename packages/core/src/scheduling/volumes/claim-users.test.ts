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

const podOf = (name: string, { claims, made, namespace }: PodOptions = {}): Pod => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(made === undefined ? {} : { creationTimestamp: made }) },
  spec: {
    containers: [{ name: 'main' }],
    ...(claims === undefined ? {} : { volumes: claims.map((claimName, at) => ({ name: `v${at}`, persistentVolumeClaim: { claimName } })) }),
  },
});

const nodeOf = (...pods: readonly Pod[]): NodeView => aBareNode({ pods });

const usersOf = (pendingPods: readonly Pod[], nodes: readonly NodeView[] = []): ClaimUsers =>
  finish(readingClaimUsers(aBareSnapshot({ nodes, pendingPods })));

const early = { claims: ['data'], made: '2026-01-01T00:00:00Z' };
const late = { claims: ['data'], made: '2026-01-02T00:00:00Z' };
const last = podOf('last', { claims: ['data'], made: '2026-01-03T00:00:00Z' });

describe('who holds a claim before a pod', () => {
  test.each<[string, () => ClaimUsers, string | undefined]>([
    ['nobody, where no pod uses it', () => usersOf([podOf('other', { claims: ['else'] })]), undefined],
    ['nobody, where the pod itself is the first', () => usersOf([last]), undefined],
    ['the older one', () => usersOf([last, podOf('b', late), podOf('a', late), podOf('z', early)]), 'default/z'],
    ['of one age: the first by name', () => usersOf([last, podOf('b', late), podOf('a', late)]), 'default/a'],
    [
      'of one age: the first by namespace',
      () => usersOf([last, podOf('a', { ...late, namespace: 'default' }), podOf('b', late)]),
      'default/a',
    ],
    ['one whose age is not known', () => usersOf([last, podOf('z', early), podOf('unborn', { claims: ['data'] })]), 'default/unborn'],
    [
      'one whose age is not known, wherever it stands',
      () => usersOf([podOf('unborn', { claims: ['data'] }), podOf('z', early), last]),
      'default/unborn',
    ],
    [
      'one that runs, though a pending one is older',
      () => usersOf([podOf('old', early), last], [nodeOf(podOf('runs', late))]),
      'default/runs',
    ],
    [
      'the oldest of those that run, on whichever node',
      () => usersOf([last], [nodeOf(podOf('a', late)), nodeOf(podOf('b', early))]),
      'default/b',
    ],
  ])('%s', (_, users, expected) => {
    expect(users().holderBefore(last, 'default/data')).toBe(expected);
  });

  test('a pod of the same name in another namespace is another, with a claim of its own', () => {
    const users = usersOf([podOf('web', { ...early, namespace: 'shop' }), podOf('web', { ...late, namespace: 'home' })]);
    expect(users.isShared('shop/data')).toBe(false);
    expect(users.holderBefore(podOf('web', { namespace: 'home' }), 'shop/data')).toBe('shop/web');
    expect(users.holderBefore(podOf('web', { namespace: 'shop' }), 'shop/data')).toBeUndefined();
  });

  test('the order of the pods given is left as it was', () => {
    const given = [last, podOf('z', early)];
    usersOf(given);
    expect(given[0]).toBe(last);
  });
});

describe('a claim', () => {
  test('is shared by two pods, pending or running, and by no fewer', () => {
    const users = usersOf(
      [podOf('a', { claims: ['both', 'mine', 'mixed'] }), podOf('b', { claims: ['both'] }), podOf('c')],
      [nodeOf(podOf('d', { claims: ['mixed'] }), podOf('e'))],
    );
    expect(['both', 'mixed', 'mine', 'nobodys'].filter((name) => users.isShared(`default/${name}`))).toEqual(['both', 'mixed']);
  });

  test('that one pod uses in several volumes is not shared', () => {
    expect(usersOf([podOf('a', { claims: ['data', 'other', 'data', 'data'] })]).isShared('default/data')).toBe(false);
  });

  test('counts where it is shared, exists and is not bound: each once, in order', () => {
    const claims = ['z', 'bound', 'a', 'missing', 'mine', 'bare', 'z', 'emptied'];
    const pod = podOf('a', { claims });
    const users = usersOf([pod, podOf('b', { claims: claims.filter((name) => name !== 'mine') })]);
    const aClaim = (name: string, spec?: PersistentVolumeClaim['spec']): PersistentVolumeClaim => ({
      metadata: { name, namespace: 'default' },
      ...(spec === undefined ? {} : { spec }),
    });
    const unbound = ['z', 'a', 'mine'].map((name) => aClaim(name, { storageClassName: 'c' }));
    const others = [aClaim('bound', { volumeName: 'v' }), aClaim('emptied', { volumeName: '' }), aClaim('bare')];
    const storage = storageViewOf({ claims: [...unbound, ...others], volumes: [], classes: [] });
    const unmadeOf = unboundClaimsReader(storage, users);
    expect(unmadeOf(pod)).toEqual(['default/a', 'default/bare', 'default/emptied', 'default/z']);
    expect(unmadeOf(podOf('none'))).toEqual([]);
    expect(unmadeOf(podOf('alone', { claims: ['mine'] }))).toEqual([]);
  });
});
