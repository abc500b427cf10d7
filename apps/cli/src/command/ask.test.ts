import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { DiffAnswer } from '../answer/diff-answer.ts';
import type { PlanAnswer } from '../answer/plan-answer.ts';
import type { RebalanceAnswer } from '../answer/rebalance-answer.ts';
import type { SavingsAnswer } from '../answer/savings-answer.ts';
import type { NodeAnswer } from '../answer/why-node.ts';
import type { PodAnswer } from '../answer/why-pod.ts';
import type { CommandExitCode } from '../exit-code.ts';
import { example } from '../testing/live-cluster.ts';
import { runCommand } from '../testing/run-command.ts';
import { aSamplePod, sampleCluster } from '../testing/sample-cluster.ts';
import { samplePool } from '../testing/sample-manifests.ts';

const ask = async <T>(line: string, files: Readonly<Record<string, string>> = {}): Promise<T & { readonly code: CommandExitCode }> => {
  const { code, out, complaints } = await runCommand(`${line} --output json`, { files });
  expect(complaints).toEqual([]);
  return { ...(JSON.parse(out) as T), code };
};

const spreadOverZones = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 8
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: DoNotSchedule
          labelSelector: {matchLabels: {app: web}}
      containers: [{name: web, image: nginx, resources: {requests: {cpu: 1, memory: 1Gi}}}]
`;

describe('karpenter plan', () => {
  test('without a cluster › the pods of all workloads, on machines of the region', async () => {
    const { pods, plan, leastPricePerHour, alternatives, code } = await ask<PlanAnswer>('plan -f pods.yaml');
    expect({ code, pods, unplaced: plan.unplaced }).toEqual({ code: 0, pods: 13, unplaced: [] });
    expect(plan.nodes.reduce((sum, each) => sum + each.pods, 0)).toBe(13);
    expect(plan.pricePerHour).toBeGreaterThanOrEqual(leastPricePerHour);
    expect(leastPricePerHour).toBeGreaterThan(0);
    expect(alternatives.map(({ name }) => name)).toEqual(expect.arrayContaining(['spot', 'arm64']));
  });

  test('--capacity spot --arch arm64 --region westeurope › only these machines', async () => {
    const { plan } = await ask<PlanAnswer>('plan -f pods.yaml --capacity spot --arch arm64 --region westeurope');
    expect(plan.nodes.every(({ capacityType, zone }) => capacityType === 'spot' && zone.startsWith('westeurope'))).toBe(true);
    expect(plan.nodes.length).toBeGreaterThan(0);
  });

  test('on a cluster › the room of its nodes is used first', async () => {
    const { plan } = await ask<PlanAnswer>('plan -f pods.yaml --from cluster.json');
    const placed = Object.values(plan.onExistingNodes).reduce((sum, each) => sum + each, 0);
    expect(placed).toBe(11);
    expect(plan.nodes).toMatchObject([{ nodePool: 'batch', instanceType: 'c-32x-amd64-linux', pods: 2 }]);
  });

  test('pods that spread over zones › one machine stands in none, and a requirement leaves it out', async () => {
    const pool = readFileSync(example('general-purpose.yaml'), 'utf8');
    const zonal = pool.replace(
      /( +)requirements:\n/,
      '$&$1  - {key: karpenter.azure.com/placement-scope, operator: In, values: [zonal]}\n',
    );
    const files = { 'pool.yaml': pool, 'zonal.yaml': zonal, 'spread.yaml': spreadOverZones };
    const { plan } = await ask<PlanAnswer>('plan -f spread.yaml --from pool.yaml', files);
    const places = (nodes: PlanAnswer['plan']['nodes']) => nodes.map(({ zone, isZonal }) => [zone, isZonal]).sort();
    expect(places(plan.nodes)).toEqual([['0', false], ...['eastus-1', 'eastus-2', 'eastus-3'].map((zone) => [zone, true])]);
    const { out } = await runCommand('plan -f spread.yaml --from pool.yaml', { files });
    expect(out).toMatch(/ no zone \(0\) /);
    expect(out).toContain('let NodePool general-purpose require karpenter.azure.com/placement-scope In [zonal].');
    const { out: inZones } = await runCommand('plan -f spread.yaml --from zonal.yaml', { files });
    expect(inZones).toContain('3 new nodes');
    expect(inZones).not.toContain('no zone');
  });

  test('a pod that fits nowhere › ends with 1 and says why', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: big}\nspec: {containers: [{name: a, resources: {requests: {cpu: 9k}}}]}\n';
    const { code, plan } = await ask<PlanAnswer>('plan -f big.yaml', { 'big.yaml': pod });
    expect(code).toBe(1);
    expect(plan.unplaced).toMatchObject([{ pod: 'default/big', why: expect.stringContaining('no instance type has more than') }]);
  });

  test.each([
    ['nothing that makes pods', 'plan -f nodepool.yaml', 'there is nothing in it that makes pods'],
    ['workloads without replicas', 'plan -f idle.yaml', 'its workloads have no replicas'],
    ['a pool that is not there', 'plan -f pods.yaml --from cluster.json --pool none', 'there is no NodePool none'],
    ['a capacity type that does not exist', 'plan -f pods.yaml --capacity cheap', 'Allowed choices are spot, on-demand, reserved'],
    ['a region without prices', 'plan -f pods.yaml --region nowhere', 'no prices are known for the region nowhere'],
  ])('%s › refused', async (...[, line, reason]) => {
    const { code, complaints } = await runCommand(line, { files: { 'idle.yaml': readFileSync(example('inflate.yaml'), 'utf8') } });
    expect({ code, complaints: complaints.join(' ') }).toEqual({ code: 2, complaints: expect.stringContaining(reason) });
  });
});

describe('pods that are planned without a preference', () => {
  const pods = `apiVersion: apps/v1
kind: Deployment
metadata: { name: picky }
spec:
  replicas: 3
  template:
    metadata: { labels: { app: picky } }
    spec:
      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 7
              preference: { matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [mars] }] }
      containers: [{ name: main, image: web, resources: { requests: { cpu: '1' } } }]
`;
  const why = 'node affinity (number 1, weight 7) for 3 of 3 pods like this: no node meets it';
  const files = { 'picky.yaml': pods };

  test('karpenter plan › names the preference, in JSON with its numbers', async () => {
    const { plan } = await ask<PlanAnswer>('plan -f picky.yaml --from cluster.json', files);
    const preferences = [{ kind: 'node-affinity', weight: 7, index: 0, podCount: 3 }];
    expect(plan.relaxed).toEqual([{ pod: 'default/picky-0', pods: 3, preferences, why: [why] }]);
    const { out } = await runCommand('plan -f picky.yaml --from cluster.json', { files });
    expect(out).toContain(`Preferences relaxed for default/picky-0 and 2 other pods\n└─ ${why}\n`);
  });

  test.each([
    ['needs-node', '20'],
    ['fits-node', '100m'],
  ])('karpenter why pod/NAME (%s) › says so of each of equal pods', async (kind, cpu) => {
    const spread = { topologyKey: 'rack', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} } as const;
    const pending = ['soft-1', 'soft-2'].map((name) => aSamplePod({ name, cpu, spec: { topologySpreadConstraints: [spread] } }));
    const cluster = { 'soft.json': JSON.stringify({ kind: 'List', items: [...sampleCluster(), ...pending] }) };
    const line = 'spread over rack (number 1, weight 100) for 2 of 2 pods like this: no node meets it';
    for (const name of ['soft-1', 'soft-2']) {
      expect(await ask<PodAnswer>(`why pod/${name} --from soft.json`, cluster)).toMatchObject({ kind, relaxed: { why: [line] } });
      const { out } = await runCommand(`why pod/${name} --from soft.json`, { files: cluster });
      expect(out).toContain(`\nPreferences relaxed:\n└─ ${line}\n`);
    }
    expect(await ask<PodAnswer>('why pod/report-1 --from soft.json', cluster)).not.toHaveProperty('relaxed');
  });
});

describe('files that hold no cluster', () => {
  const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
  test.each<[string, string, string, CommandExitCode, string]>([
    ['an empty file', 'nodes --from x.yaml', ' \n', 3, 'x.yaml cannot be read: it is empty'],
    ['kinds that say nothing about nodes', 'savings --from x.yaml', service, 3, 'x.yaml: there is no node, pod or NodePool in it'],
    ['a file that does not exist', 'nodes --from y.yaml', '', 3, 'y.yaml cannot be read: there is no such file'],
    ['torn YAML', 'nodes --from x.yaml', 'a: [b', 3, 'at line 1'],
    ['a change without a NodePool', 'diff --from cluster.json -f x.yaml', service, 2, 'x.yaml: there is no NodePool or class in it'],
  ])('%s › refused', async (...[, line, text, exitCode, reason]) => {
    const { code, complaints } = await runCommand(line, { files: { 'x.yaml': text } });
    expect({ code, complaints }).toEqual({ code: exitCode, complaints: [expect.stringContaining(reason)] });
  });

  test('the list of a cluster without objects › no nodes', async () => {
    const { code, out } = await runCommand('nodes --from x.json', { files: { 'x.json': '{"kind":"List","items":[]}' } });
    expect([code, out]).toEqual([0, expect.stringMatching(/^0 nodes/)]);
  });
});

describe('karpenter why', () => {
  test.each<[string, string, CommandExitCode, object]>([
    ['that runs', 'web-1', 0, { kind: 'runs', node: 'general-a1' }],
    ['of a namespace', 'default/web-1', 0, { kind: 'runs', node: 'general-a1' }],
    ['that needs a node', 'report-1', 0, { kind: 'needs-node', nodePool: 'batch', instanceType: 'c-16x-amd64-linux', otherPods: 0 }],
    ['that fits nowhere', 'giant-1', 1, { kind: 'no-place', why: expect.stringContaining('no instance type has more than 255.9') }],
  ])('a pod %s', async (...[, name, code, answer]) => {
    expect(await ask<PodAnswer>(`why pod/${name} --from cluster.json`)).toMatchObject({ ...answer, code });
  });

  test.each<[string, string, Partial<NodeAnswer>]>([
    ['that a budget keeps', 'general-b2', { heldBy: 'PDB default/db', why: expect.stringContaining('prevents the eviction') as never }],
    ['that is about to go', 'general-c3', { heldBy: 'underutilized: can go', savingsPerHour: expect.closeTo(0.117, 3) as never }],
    ["that is not Karpenter's", 'system-1', { heldBy: "not Karpenter's" }],
  ])('a node %s', async (...[, name, answer]) => {
    expect(await ask<NodeAnswer>(`why node/${name} --from cluster.json`)).toMatchObject(answer);
  });

  test.each([
    ['why web-1', 2, 'is neither pod/NAME, pod/NAMESPACE/NAME nor node/NAME'],
    ['why node/default/web-1', 2, 'is neither pod/NAME'],
    ['why pod/none', 3, 'there is no pod default/none; --namespace names another namespace'],
    ['why pod/other/web-1', 3, 'there is no pod other/web-1'],
    ['why node/none', 3, 'there is no node none'],
  ])('%s › refused', async (line, exitCode, reason) => {
    const { code, complaints } = await runCommand(`${line} --from cluster.json`);
    expect({ code, complaints }).toEqual({ code: exitCode, complaints: [expect.stringContaining(reason)] });
  });
});

test('karpenter savings › moves, what holds the rest, and what packing again would cost', async () => {
  const { moves, held, pricePerHour, afterPerHour, repacked } = await ask<SavingsAnswer>('savings --from cluster.json');
  expect(moves).toMatchObject([{ reason: 'Underutilized', nodes: ['general-a1', 'general-c3'], replacements: [] }]);
  expect(held.map(({ heldBy, nodes }) => `${heldBy}: ${nodes.join()}`)).toEqual([
    'do-not-disrupt: default/train-1: batch-d4',
    'PDB default/db: general-b2',
  ]);
  expect(afterPerHour).toBeLessThan(pricePerHour);
  expect(repacked).toMatchObject({ nodes: 1, unplacedPods: 0 });
});

test('karpenter savings › a NodePool budget of 0 nodes › no moves, and the budget holds the nodes', async () => {
  const json = JSON.stringify({ kind: 'List', items: sampleCluster() });
  const files = { 'closed.json': json.replaceAll('"budgets":[{"nodes":"100%"}]', '"budgets":[{"nodes":"0"}]') };
  const { moves, held, pricePerHour, afterPerHour } = await ask<SavingsAnswer>('savings --from closed.json', files);
  expect(moves).toEqual([]);
  expect(held.map(({ heldBy, nodes }) => `${heldBy}: ${nodes.join()}`)).toEqual([
    'budget 0: general-a1,general-c3',
    'do-not-disrupt: default/train-1: batch-d4',
    'PDB default/db: general-b2',
  ]);
  expect(afterPerHour).toBe(pricePerHour);
  expect((await runCommand('savings --from closed.json', { files })).out).toContain('budget 0');
});

describe('karpenter rebalance', () => {
  test('names the nodes and the pods of each wave, and why the others stay', async () => {
    const { waves, held, pricePerHour, savingsPerHour, code } = await ask<RebalanceAnswer>('rebalance --from cluster.json');
    expect({ code, nodes: waves.map(({ nodes }) => nodes) }).toEqual({ code: 0, nodes: [['general-a1', 'general-c3']] });
    expect(waves[0]?.pods).toContainEqual({ pod: 'default/web-1', from: 'general-a1', to: expect.any(String) });
    expect(savingsPerHour).toBeLessThan(pricePerHour);
    expect(held.flatMap(({ nodes }) => nodes)).toEqual(['batch-d4', 'general-b2']);
  });

  test('--max-moves 1 › one pod moves', async () => {
    const { waves } = await ask<RebalanceAnswer>('rebalance --from cluster.json --max-moves 1');
    expect(waves.map(({ nodes, pods }) => ({ nodes, pods: pods.length }))).toEqual([{ nodes: ['general-c3'], pods: 1 }]);
  });

  test.each([
    ['--apply', '--apply needs a live cluster'],
    ['--name spring', 'only with --apply'],
    ['--apply --target-savings much', 'It must be an amount such as 2.5.'],
  ])('%s on files › refused', async (flags, why) => {
    const { code, complaints } = await runCommand(`rebalance --from cluster.json ${flags}`);
    expect([code, complaints.join(' ')]).toEqual([2, expect.stringContaining(why)]);
  });

  test('--max-moves many › refused', async () => {
    const { code, complaints } = await runCommand('rebalance --from cluster.json --max-moves many');
    expect([code, complaints.join(' ')]).toEqual([2, expect.stringContaining('It must be a whole number.')]);
  });
});

describe('karpenter diff', () => {
  test('a pool that changes its architecture › its nodes drift, and their pods go elsewhere', async () => {
    const { drifted, lostPods, pricePerHour, code } = await ask<DiffAnswer>('diff -f nodepool.yaml --from cluster.json');
    expect(drifted.map(({ node }) => node)).toEqual(['general-a1', 'general-b2', 'general-c3']);
    expect({ code, lostPods }).toEqual({ code: 0, lostPods: [] });
    expect(pricePerHour.after).toBeLessThan(pricePerHour.before);
  });

  test('a pool without changes › nothing drifts', async () => {
    const same = samplePool.replace('arm64', 'amd64').replace('    metadata: { labels: { team: web } }\n', '');
    const { drifted, pricePerHour } = await ask<DiffAnswer>('diff -f same.yaml --from cluster.json', { 'same.yaml': same });
    expect(drifted).toEqual([]);
    expect(pricePerHour.after).toBeCloseTo(pricePerHour.before);
  });

  test('a pool that the controller would refuse › ends with 1 and names the field', async () => {
    const files = { 'wrong.yaml': samplePool.replace('kubernetes.io/os', 'karpenter.sh/nodepool') };
    const { code, complaints } = await runCommand('diff -f wrong.yaml --from cluster.json', { files });
    expect({ code, complaints }).toEqual({ code: 1, complaints: [expect.stringContaining('NodePool general: ')] });
  });
});

describe('on a terminal', () => {
  test.each([
    'why pod/giant-1 --from cluster.json',
    'why node/general-a1 --from cluster.json',
    'savings --from cluster.json',
    'rebalance --from cluster.json',
    'diff -f nodepool.yaml --from cluster.json',
  ])('karpenter %s › no line is wider than 60 columns, and no word is lost', async (line) => {
    const [narrow, piped] = [await runCommand(line, { width: 60 }), await runCommand(line)];
    const widest = Math.max(...narrow.out.split('\n').map(({ length }) => length));
    expect(widest).toBeLessThanOrEqual(60);
    const sentences = (text: string): readonly string[] => text.split(/[\s│├└─]+/u).filter((word) => /^[a-z]+$/.test(word));
    expect(sentences(piped.out).filter((word) => !sentences(narrow.out).includes(word))).toEqual([]);
  });

  test('a reason that is folded › stays a tree', async () => {
    const { out } = await runCommand('why pod/giant-1 --from cluster.json', { width: 80 });
    expect(out).toContain('no instance type has more than 255.9 for pods; looks\n│  like 400 was meant as 400m\n├─ NodePool batch');
    expect(out).toContain('the pool offers\n│     karpenter.sh/capacity-type In [spot]\n└─');
  });
});

test('control characters of a pod’s author are written out, and JSON stays JSON', async () => {
  const claimName = '\u001b]0;OWNED\u0007\u001b[2J\u001b[8mall is well\u009b2J\u202e';
  const pod = aSamplePod({ name: 'odd', cpu: '1', spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] } });
  const files = { 'odd.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...sampleCluster(), pod] }) };
  const command = 'why pod/odd --from odd.json';
  const { out } = await runCommand(command, { files });
  expect(out).toContain(String.raw`\u001b]0;OWNED\u0007\u001b[2J\u001b[8mall is well\u009b2J\u202e`);
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  expect(JSON.stringify(await ask(command, files))).toContain(JSON.stringify(claimName).slice(1, -1));
  const { complaints } = await runCommand('why pod/\u001b[2Jx --from odd.json', { files });
  expect(complaints).toEqual([expect.stringContaining(String.raw`\u001b[2Jx`)]);
});

test('a pod’s author writes no line of an answer: line ends in names and values are written out', async () => {
  const forged = ['Pod shop/web runs on n1', '└─ all is well'];
  const ends = ['\n', '\r', '\u0085', '\u2028', '\u2029', '\u000b'];
  const claimName = `c${ends.map((end) => `${end}${forged.join(end)}`).join('')}`;
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName } }];
  const selecting = { nodeSelector: { 'example.com/rack': forged.join('\n') } };
  const pods = [aSamplePod({ name: 'odd', cpu: '1', spec: { volumes } }), aSamplePod({ name: 'odder', cpu: '1', spec: selecting })];
  const files = { 'odd.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...sampleCluster(), ...pods] }) };
  for (const command of ['why pod/odd --from odd.json', 'why pod/odder --from odd.json']) {
    const { out } = await runCommand(command, { files });
    expect(out).toContain('all is well');
    expect(out.split(/[\n\v\r\u0085\u2028\u2029]/u).filter((line) => forged.some((each) => line.trim().startsWith(each)))).toEqual([]);
    const { out: json } = await runCommand(`${command} --output json`, { files });
    expect(json).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u2029]/u);
  }
});
