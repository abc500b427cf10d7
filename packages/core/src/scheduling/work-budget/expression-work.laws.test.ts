import { describe, expect, jest, test } from '@jest/globals';
import { defaultLabelCatalog as catalog, nodePoolProblems } from '../../apis/index.ts';
import type { NodePool, RequirementSpec } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import { daemonsOf, readingSound, storageViewOf } from '../../cluster/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { DaemonSet, PersistentVolume, PersistentVolumeClaim, PodSpec } from '../../kube/index.ts';
import { intersects, requirementsOf } from '../../requirements/index.ts';
import { aNodePool, aPod, aVolumeClaim } from '../../testing/objects.ts';
import { shapeReader } from '../pod-classes/pod-shape.ts';
import { alternativesOfVolume, isRefused } from '../volumes/volume-alternatives.ts';
import { ClaimUsers } from '../volumes/volume-claims.ts';
import { volumeReader } from '../volumes/volume-reader.ts';
import { range } from '../../testing/range.ts';

type Expressions = (count: number) => readonly RequirementSpec[];

const key = 'example.com/key';
const listing = (operator: 'In' | 'NotIn', values: readonly number[]): RequirementSpec => ({ key, operator, values: values.map(String) });
const everything: Expressions = (count) => [listing('In', range(count))];
const exclusions: Expressions = (count) => range(count).map((index) => listing('NotIn', [index]));
const others: Expressions = (count) => range(count).map((index) => listing('NotIn', [count + index]));
const presences: Expressions = (count) => range(count).map(() => ({ key, operator: 'Exists' }));
const bounds: Expressions = (count) =>
  range(count).map((index) => (index % 2 === 0 ? { key, operator: 'Gt', values: ['0'] } : { key, operator: 'Lt', values: ['1000000'] }));

/** Expressions about one key. Each has at most twice as many values as expressions. */
const mixes: Readonly<Record<string, Expressions>> = {
  'NotIn of one value each': exclusions,
  'In of all values each': (count) => range(Math.sqrt(count)).flatMap(() => everything(Math.sqrt(count))),
  'one long In, then Exists': (count) => [...everything(count), ...presences(count)],
  'Exists, then one long In': (count) => [...presences(count), ...everything(count)],
  'one long In, then NotIn of other values': (count) => [...everything(count), ...others(count)],
  'one long In, then Gt and Lt': (count) => [...everything(count), ...bounds(count)],
  'NotIn beside Gt and Lt': (count) => [...exclusions(count), ...bounds(count)],
  'Gt and Lt, then NotIn': (count) => [...bounds(count), ...exclusions(count)],
  'NotIn and Exists in turn': (count) => range(count).flatMap((index) => [listing('NotIn', [index]), { key, operator: 'Exists' }]),
  'DoesNotExist beside one long In': (count) => [
    ...everything(count),
    ...range(count).map(() => ({ key, operator: 'DoesNotExist' as const })),
  ],
};

const specWith = (matchExpressions: readonly RequirementSpec[]): PodSpec => ({
  containers: [{ name: 'main' }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
});

const daemonSetWith = (matchExpressions: readonly RequirementSpec[]): DaemonSet => ({
  metadata: { name: 'agent', namespace: 'shop' },
  spec: { template: { spec: specWith(matchExpressions) } },
});

const volumeWith = (matchExpressions: readonly RequirementSpec[]): PersistentVolume => ({
  metadata: { name: 'disk' },
  spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } },
});

const boundClaim = (volumeName: string): PersistentVolumeClaim => {
  const metadata = { name: volumeName, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } };
  return { ...aVolumeClaim(volumeName, { metadata, spec: { volumeName } }) };
};

/** What is wrong with volumes whose expressions contradict each other. */
const CONTRADICTION = { problem: 'no node reaches this volume together with the others; keep them in one zone' };

const poolRequiringAll = (requirements: readonly RequirementSpec[]): NodePool => {
  const pool = aNodePool();
  const { template } = pool.spec;
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } } };
};

const snapshotWith = (daemonSets: readonly DaemonSet[]): ClusterSnapshot => ({
  ...{ nodePools: [], nodes: [], pendingPods: [], podDisruptionBudgets: [], namespaceLabels: new Map() },
  daemonSets,
});

const judgeAndRead = (daemonSet: DaemonSet): void => {
  finish(readingSound(snapshotWith([daemonSet]), catalog));
  daemonsOf([daemonSet], catalog);
};

/** Reads expressions as the solver reads those of one kind of object. */
type Reader = (expressions: readonly RequirementSpec[]) => void;

const readers: Readonly<Record<string, Reader>> = {
  'a pod': (expressions) => expect(shapeReader(catalog)(specWith(expressions)).problem).toBeUndefined(),
  'a DaemonSet': (expressions) => judgeAndRead(daemonSetWith(expressions)),
  'a PersistentVolume': (expressions) => expect(isRefused(alternativesOfVolume(volumeWith(expressions), catalog))).toBe(false),
  'the volumes of one pod': (expressions) => {
    const names = expressions.map((_, index) => `disk-${index}`);
    const storage = storageViewOf({
      claims: names.map((volumeName) => boundClaim(volumeName)),
      volumes: expressions.map((expression, index) => ({ ...volumeWith([expression]), metadata: { name: `disk-${index}` } })),
      classes: [],
    });
    const volumes = names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
    const needsOf = volumeReader({ storage, catalog, users: new ClaimUsers(new Map()) });
    const { problem = CONTRADICTION } = needsOf(aPod('web', { metadata: { namespace: 'shop' }, spec: { volumes } }));
    expect(problem).toMatchObject(CONTRADICTION);
  },
  'a NodePool': (expressions) => {
    const pool = poolRequiringAll(expressions);
    nodePoolProblems(pool, catalog);
    requirementsOf(pool.spec.template.spec.requirements);
  },
};

/** How many values are put into sets meanwhile. */
const valuesCopied = (run: () => void): number => {
  const adding = jest.spyOn(Set.prototype, 'add');
  try {
    run();
    return adding.mock.calls.length;
  } finally {
    adding.mockRestore();
  }
};

describe.each(Object.entries(readers))('many expressions about one key in %s', (_, read) => {
  test.each(Object.entries(mixes))('%s › four times as many copy about four times as many values', (__, mix) => {
    const [few = 0, many = 0] = [100, 400].map((count) => valuesCopied(() => read(mix(count))));
    expect(many).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few * 4 * 1.3);
  });
});

test('a DaemonSet that was read copies no value in the next snapshot', () => {
  const daemonSet = daemonSetWith(exclusions(50));
  judgeAndRead(daemonSet);
  expect(valuesCopied(() => judgeAndRead(daemonSet))).toBe(0);
});

test('whether two long NotIn have a value in common copies none', () => {
  const [one, other] = [range(100), range(200)].map((values) =>
    requirementsOf([listing('NotIn', values), { key, operator: 'Exists' }]).get(key),
  );
  if (one === undefined || other === undefined) throw new Error('the key is required');
  expect(valuesCopied(() => expect(intersects(one, other)).toBe(true))).toBe(0);
});
