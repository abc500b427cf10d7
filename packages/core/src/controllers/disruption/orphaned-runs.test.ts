import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../../cluster/index.ts';
import { commandRecordText, REPLACES_ANNOTATION } from '../../state/index.ts';
import { orphanedRuns } from './command-runs.ts';

interface Said {
  readonly closed?: boolean;
  readonly replaces?: Partial<{ id: string; candidates: readonly string[]; replacements: number }>;
  readonly going?: boolean;
}

const textOf = (replaces: Said['replaces']): string =>
  commandRecordText({
    ...{ id: 'c1', method: 'drift', reason: 'Drifted', startedMs: 7, candidates: ['old'], replacements: 1, savingsPerHour: 0.5 },
    ...replaces,
  });

const aView = (name: string, { closed = false, replaces, going = false }: Said = {}): NodeView => ({
  ...{ name: `node-${name}`, labels: {}, annotations: {}, taints: [], capacity: {}, allocatable: {}, pods: [] },
  ...{ hasNode: true, isRegistered: true, isInitialized: true, isReady: true, isMarkedForDeletion: going },
  claim: {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      ...(going ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(replaces === undefined ? {} : { annotations: { [REPLACES_ANNOTATION]: textOf(replaces) } }),
    },
    spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
    ...(closed ? { status: { conditions: [{ type: 'DisruptionReason', status: 'True' }] } } : {}),
  },
});

const idsOf = (nodes: readonly NodeView[], led: readonly string[] = []) =>
  orphanedRuns(nodes, new Set(led)).map(({ summary }) => [summary.id, summary.candidates.map(({ name }) => name)]);

describe('a command whose process died', () => {
  test('is led on with what its replacement says of it', () => {
    expect(orphanedRuns([aView('old', { closed: true }), aView('new', { replaces: {} })], new Set())).toMatchObject([
      {
        summary: { id: 'c1', method: 'drift', reason: 'Drifted', decision: 'replace', savingsPerHour: 0.5 },
        startedMs: 7,
        stage: { kind: 'replacing', claimNames: ['new'] },
      },
    ]);
  });

  test.each<[string, readonly NodeView[], readonly string[]]>([
    ['somebody leads it', [aView('old', { closed: true }), aView('new', { replaces: {} })], ['c1']],
    ['its node is on its way out', [aView('old', { closed: true, going: true }), aView('new', { replaces: {} })], []],
    ['its node is gone', [aView('new', { replaces: {} })], []],
    ['its replacement is going', [aView('old', { closed: true }), aView('new', { replaces: {}, going: true })], []],
  ])('is left alone when %s', (_, nodes, led) => {
    expect(idsOf(nodes, led)).toEqual([]);
  });

  test.each<[string, readonly NodeView[]]>([
    ['its node is open again', [aView('old'), aView('new', { replaces: {} })]],
    ['one of two replacements was never asked for', [aView('old', { closed: true }), aView('new', { replaces: { replacements: 2 } })]],
    [
      'one of two replacements is going',
      [
        aView('old', { closed: true }),
        aView('a', { replaces: { replacements: 2 } }),
        aView('b', { replaces: { replacements: 2 }, going: true }),
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
      aView('a', { closed: true, going: true }),
      aView('b', { closed: true }),
      aView('x', { replaces }),
      aView('y', { replaces }),
    ];
    expect(idsOf(nodes)).toEqual([['c1', ['node-b']]]);
  });
});
