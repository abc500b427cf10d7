import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import { commandRecordText, REPLACES_ANNOTATION } from '../../state/index.ts';
import { aNodeClaim } from '../../testing/objects.ts';
import { orphanedRuns } from './command-runs.ts';

interface Said {
  readonly closed?: boolean;
  readonly replaces?: Partial<{ id: string; candidates: readonly string[]; replacements: number }>;
  readonly going?: boolean;
}

const recordTextOf = (replaces: Said['replaces']): string =>
  commandRecordText({
    ...{ id: 'c1', method: 'drift', reason: 'Drifted', startedMs: 7, candidates: ['old'], replacements: 1, savingsPerHour: 0.5 },
    ...replaces,
  });

const viewOfRun = (name: string, { closed = false, replaces, going = false }: Said = {}): NodeView =>
  aBareNode({
    name: `node-${name}`,
    isMarkedForDeletion: going,
    claim: aNodeClaim(name, {
      metadata: {
        ...(going ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
        ...(replaces === undefined ? {} : { annotations: { [REPLACES_ANNOTATION]: recordTextOf(replaces) } }),
      },
      ...(closed ? { status: { conditions: [{ type: 'DisruptionReason', status: 'True' }] } } : {}),
    }),
  });

const idsOf = (nodes: readonly NodeView[], led: readonly string[] = []) =>
  orphanedRuns(nodes, new Set(led)).map(({ summary }) => [summary.id, summary.candidates.map(({ name }) => name)]);

describe('a command whose process died', () => {
  test('is led on with what its replacement says of it', () => {
    expect(orphanedRuns([viewOfRun('old', { closed: true }), viewOfRun('new', { replaces: {} })], new Set())).toMatchObject([
      {
        summary: { id: 'c1', method: 'drift', reason: 'Drifted', decision: 'replace', savingsPerHour: 0.5 },
        startedMs: 7,
        stage: { kind: 'replacing', claimNames: ['new'] },
      },
    ]);
  });

  test.each<[string, readonly NodeView[], readonly string[]]>([
    ['somebody leads it', [viewOfRun('old', { closed: true }), viewOfRun('new', { replaces: {} })], ['c1']],
    ['its node is on its way out', [viewOfRun('old', { closed: true, going: true }), viewOfRun('new', { replaces: {} })], []],
    ['its node is gone', [viewOfRun('new', { replaces: {} })], []],
    ['its replacement is going', [viewOfRun('old', { closed: true }), viewOfRun('new', { replaces: {}, going: true })], []],
  ])('is left alone when %s', (_, nodes, led) => {
    expect(idsOf(nodes, led)).toEqual([]);
  });

  test.each<[string, readonly NodeView[]]>([
    ['its node is open again', [viewOfRun('old'), viewOfRun('new', { replaces: {} })]],
    [
      'one of two replacements was never asked for',
      [viewOfRun('old', { closed: true }), viewOfRun('new', { replaces: { replacements: 2 } })],
    ],
    [
      'one of two replacements is going',
      [
        viewOfRun('old', { closed: true }),
        viewOfRun('a', { replaces: { replacements: 2 } }),
        viewOfRun('b', { replaces: { replacements: 2 }, going: true }),
      ],
    ],
  ])('is called off when %s', (_, nodes) => {
    expect(orphanedRuns(nodes, new Set())).toMatchObject([
      { summary: { id: 'c1', candidates: [{ name: 'node-old' }] }, stage: { kind: 'called-off', why: 'replacement-gone' } },
    ]);
  });

  test('continues with the nodes that it had not deleted yet', () => {
    const replaces = { candidates: ['a', 'b'], replacements: 2 };
    const nodes = [
      viewOfRun('a', { closed: true, going: true }),
      viewOfRun('b', { closed: true }),
      viewOfRun('x', { replaces }),
      viewOfRun('y', { replaces }),
    ];
    expect(idsOf(nodes)).toEqual([['c1', ['node-b']]]);
  });
});
