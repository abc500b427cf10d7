import { describe, expect, test } from '@jest/globals';
import type { NodesAnswer } from '../answer/node-rows.ts';
import { runCommand, sampleJson } from '../testing/run-command.ts';

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

describe('karpenter nodes', () => {
  test('on a wide terminal › every column, bars, and what holds each node', async () => {
    const { code, out } = await runCommand('nodes --from cluster.json', { width: 170 });
    expect(code).toBe(0);
    const [head = '', batch = '', big = ''] = linesOf(out);
    expect(head.split(/ {2,}/)).toEqual([
      'NODE',
      'POOL',
      'SIZE',
      'ZONE',
      'CAPACITY',
      'AGE',
      'CPU',
      'MEMORY',
      'PODS',
      '$/H',
      'STATE',
      'HELD BY',
    ]);
    expect(batch).toContain('███····· 38%');
    expect(batch).toContain('do-not-disrupt: default/train-1');
    expect(big).toContain('▏·······   2/128  $0.234');
    expect(out).toContain('PDB default/db');
    expect(linesOf(out).at(-1)).toBe('5 nodes · 5 pods, 2 pending · cpu 40% of 33.5 · memory 29% of 136Gi · $0.797/h ($582/month)');
  });

  test('pods near what the node takes › a red bar, where few pods are no warning', async () => {
    const files = { 'tight.json': sampleJson().replaceAll('"pods":"128"', '"pods":"2"') };
    const { out } = await runCommand('nodes --from tight.json', { width: 170, hasColor: true, files });
    expect(out).toContain('\u001b[31m████████\u001b[39m\u001b[2m\u001b[22m     2/2');
    expect(out).toContain('\u001b[32m▏\u001b[39m\u001b[2m·······\u001b[22m    1/64');
  });

  test.each([60, 80, 100, 120, 160])('on a terminal of %i columns › no line is wider', async (width) => {
    const { out } = await runCommand('nodes --from cluster.json', { width });
    expect(Math.max(...linesOf(out).map(({ length }) => length))).toBeLessThanOrEqual(width);
  });

  test('on a terminal of 80 columns › a column that fits is shown, also where a more important one does not fit', async () => {
    const { out } = await runCommand('nodes --from cluster.json', { width: 80 });
    expect(linesOf(out)[0]).toBe('NODE        POOL     CPU  MEMORY   PODS     $/H  STATE  HELD BY');
  });

  test('of many nodes › all rows are in the columns of the head', async () => {
    const node = (index: number) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `other-${index}` } });
    const files = {
      'more.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: Array.from({ length: 25 }, (_, index) => node(index)) }),
    };
    const { out } = await runCommand('nodes --from cluster.json more.json', { files });
    const [head = '', ...rows] = linesOf(out).slice(0, -2);
    expect(rows).toHaveLength(30);
    expect(rows.filter((row) => row.indexOf("not Karpenter's") === head.indexOf('HELD BY'))).toHaveLength(26);
  });

  test('in a pipe › no bar, no color', async () => {
    const { out } = await runCommand('nodes --from cluster.json');
    expect(out).not.toMatch(/[█·]{2}/u);
    expect(out).not.toContain('\u001b');
  });

  test.each([
    ['a pool that does not exist', '--pool none', 'there is no NodePool none'],
    ['files that are watched', '--watch', '--watch needs a live cluster'],
  ])('%s › refused', async (...[, flags, reason]) => {
    const { code, complaints } = await runCommand(`nodes --from cluster.json ${flags}`);
    expect({ code, complaints }).toEqual({ code: 2, complaints: [expect.stringContaining(reason)] });
  });

  test('with colors › states are painted', async () => {
    const { out } = await runCommand('nodes --from cluster.json', { width: 170, hasColor: true });
    expect(out).toContain('\u001b[32mready\u001b[39m');
  });

  test('for programs › JSON with numbers', async () => {
    const { out } = await runCommand('nodes --from cluster.json --pool general --output json');
    const { nodes, totals } = JSON.parse(out) as NodesAnswer;
    expect(nodes.map(({ name }) => name)).toEqual(['general-a1', 'general-b2', 'general-c3']);
    expect(nodes[1]).toMatchObject({
      state: 'ready',
      heldBy: 'PDB default/db',
      ageSeconds: 18_000,
      cpu: { requested: 1, allocatable: 3.9 },
    });
    expect(totals).toMatchObject({ nodes: 3, pods: 4, pendingPods: 2, unknownPrices: 0 });
  });

  test('two files › one cluster', async () => {
    const files = { 'more.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: other}\n' };
    const { out } = await runCommand('nodes --from cluster.json more.yaml -o json', { files });
    expect((JSON.parse(out) as NodesAnswer).totals.nodes).toBe(6);
  });
});

describe('a command line or a file that cannot be used', () => {
  test.each([
    ['an unknown command', 'nodez', 2, 'Did you mean nodes?'],
    ['an unknown flag', 'nodes --wide', 2, "unknown option '--wide'"],
    ['an unknown format', 'nodes -o yaml', 2, 'Allowed choices are text, json'],
    ['a file and a kubeconfig', 'nodes --from cluster.json --kubeconfig k', 2, '--from reads files'],
    ['a file that is missing', 'nodes --from none.json', 3, 'none.json cannot be read: there is no such file'],
    ['a file that is no manifest', 'nodes --from odd.json', 3, 'odd.json cannot be read: it holds something that is no manifest'],
    ['a file that is cut off', 'nodes --from cut.json', 3, 'cut.json cannot be read: '],
    ['a kubeconfig that is missing', 'nodes --kubeconfig /none', 3, 'there is no kubeconfig at /none'],
    [
      'a catalog that is missing',
      'nodes --from cluster.json --instance-types none.json',
      3,
      '--instance-types none.json: there is no such file',
    ],
    ['a region without prices', 'nodes --from azure.json --region mars', 2, 'no prices are known for the region mars; one of '],
  ])('%s › ends with a reason', async (...[, line, exitCode, reason]) => {
    const files = { 'odd.json': '{"a": 1}', 'cut.json': sampleJson().slice(0, 100), 'azure.json': azurePool };
    const { code, out, complaints } = await runCommand(line, { files });
    expect({ code, out }).toEqual({ code: exitCode, out: '' });
    expect(complaints.join('\n')).toContain(reason);
  });

  test('no command › the help, as a complaint', async () => {
    const { code, complaints } = await runCommand('--');
    expect(code).toBe(2);
    expect(complaints.join('\n')).toContain('Usage: karpenter');
  });
});

const azurePool = JSON.stringify({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'a' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' } } } },
});
