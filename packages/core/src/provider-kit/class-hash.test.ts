import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../apis/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { aNodeClaim } from '../testing/objects.ts';
import { hasClassHashDrifted, nodeClassHashing, specHashOf } from './node-class.ts';
import type { ClassHash, NodeClass } from './node-class.ts';

const { signal } = new AbortController();
const kind = { group: 'acme.dev', kind: 'AcmeNodeClass' };
const annotations = { hash: 'acme.dev/hash', version: 'acme.dev/hash-version' };
const hash: ClassHash<NodeClass> = { of: ({ spec }) => specHashOf(spec ?? {}), version: 'v2', annotations };

const classWith = (stamps?: Readonly<Record<string, string>>): NodeClass => ({
  apiVersion: 'acme.dev/v1',
  kind: 'AcmeNodeClass',
  metadata: { name: 'default', ...(stamps && { annotations: stamps }) },
  spec: { disk: 64 },
});
const text = hash.of(classWith());
const stamped = (of: string, version = 'v2') => ({ [annotations.hash]: of, [annotations.version]: version });

const stampedClaim = (name: string, parts: { readonly isDrifted?: boolean; readonly group?: string } = {}): NodeClaim =>
  aNodeClaim(name, {
    metadata: { annotations: stamped('old', 'v1') },
    spec: { nodeClassRef: { group: parts.group ?? 'acme.dev', kind: 'AcmeNodeClass', name: 'default' } },
    status: { conditions: parts.isDrifted === true ? [{ type: 'Drifted', status: 'True' }] : [] },
  });

/** Name → annotations after a reconcile of the class; only what was written. */
const afterReconcile = async (nodeClass: NodeClass, claims: readonly NodeClaim[] = []): Promise<Readonly<Record<string, unknown>>> => {
  const cluster = new FakeCluster();
  cluster.seed('AcmeNodeClass', nodeClass);
  for (const claim of claims) cluster.seed('NodeClaim', claim);
  const list = () => Promise.resolve({ items: claims as never[], resourceVersion: '1' });
  await nodeClassHashing({ kind, hash, kube: { list, patch: (...call) => cluster.patch(...call) } }).reconcile(nodeClass, { signal });
  const written = cluster.writes.map((write): [string, string] => [write.split(' ')[1] ?? '', write.split(' ')[2] ?? '']);
  return Object.fromEntries(
    written.map(([of, name]) => [name, (cluster.kind(of).get({ name }) as NodeClass | undefined)?.metadata.annotations]),
  );
};

describe('the hash controller', () => {
  test('stamps a new class, and then leaves it alone', async () => {
    expect(await afterReconcile(classWith())).toEqual({ default: stamped(text) });
    expect(await afterReconcile(classWith(stamped(text)))).toEqual({});
  });

  test('brings claims of another way of hashing along; one that has drifted stays so, and those of other classes are not touched', async () => {
    const claims = [stampedClaim('a'), stampedClaim('b', { isDrifted: true }), stampedClaim('c', { group: 'other.dev' })];
    expect(await afterReconcile(classWith(stamped('old', 'v1')), claims)).toEqual({
      a: stamped(text),
      b: stamped('old'),
      default: stamped(text),
    });
  });
});

describe('a claim', () => {
  const has = (of: Readonly<Record<string, string>>, is: Readonly<Record<string, string>>): boolean =>
    hasClassHashDrifted({ metadata: { name: 'a', annotations: is } }, { metadata: { name: 'default', annotations: of } }, hash);

  test.each([
    ['of another hash has drifted', stamped('2'), true],
    ['of the same has not', stamped('1'), false],
    ['of a hash that was made in another way has not', stamped('2', 'v1'), false],
    ['without a hash has not', {}, false],
  ])('%s', (_, is, expected) => expect(has(stamped('1'), is)).toBe(expected));
});

describe('the hash of a spec', () => {
  test('is the same for specs that mean the same', () => {
    const plain = specHashOf({ disk: 64, zones: ['a', 'b'] });
    expect(specHashOf({ zones: ['b', 'a'], disk: 64, tags: undefined, kubelet: {}, isFast: false })).toBe(plain);
    expect(specHashOf({ disk: 65, zones: ['a', 'b'] })).not.toBe(plain);
  });
});
