import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import type { CommandRun } from './command-run.ts';
import { commandTimeoutMs, nextStep } from './next-step.ts';

const aClaim = (initialized: boolean, metadata: Partial<NodeClaim['metadata']> = {}): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'r', ...metadata },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
  status: { conditions: [{ type: 'Initialized', status: initialized ? 'True' : 'Unknown' }] },
});
const command = { method: 'emptiness', reason: 'Empty', decision: 'delete', candidates: [], replacements: [], savingsPerHour: 0 } as const;
const aRun = (stage: CommandRun['stage']): CommandRun => ({ startedMs: 0, stage, summary: { ...command, id: 'x' } });
const validating = aRun({ kind: 'validating', untilMs: 15, command });
const step = (run: CommandRun, nowMs: number, claim?: NodeClaim) => nextStep(run, { nowMs, candidateCount: 1, claimNamed: () => claim });
const replacing = aRun({ kind: 'replacing', claimNames: ['r'] });

describe('a command', () => {
  test.each([
    ['waits for its second look', validating, 14, undefined, { kind: 'wait' }],
    ['is looked at again when the time has come', validating, 15, undefined, { kind: 'validate', command }],
    [
      'whose replacement the API server keeps refusing is given up after ten minutes',
      validating,
      600_000,
      undefined,
      { kind: 'abandon', why: 'timeout' },
    ],
    ['without replacements is finished at once', aRun({ kind: 'replacing', claimNames: [] }), 15, undefined, { kind: 'finish' }],
    ['waits for its replacement', replacing, 15, aClaim(false), { kind: 'wait' }],
    ['is finished when its replacement can run pods', replacing, 15, aClaim(true), { kind: 'finish' }],
    ['is given up when its replacement is gone', replacing, 15, undefined, { kind: 'abandon', why: 'replacement-gone' }],
    [
      'is given up when its replacement is going',
      replacing,
      15,
      aClaim(true, { deletionTimestamp: 'x' }),
      { kind: 'abandon', why: 'replacement-gone' },
    ],
    ['is given up after ten minutes', replacing, 600_000, aClaim(false), { kind: 'abandon', why: 'timeout' }],
  ] as const)('%s', (...[, run, nowMs, claim, expected]) => {
    expect(step(run, nowMs, claim)).toEqual(expected);
  });

  test('has more time among many, up to an hour', () => {
    expect([1, 10_000, 1_000_000].map(commandTimeoutMs)).toEqual([600_000, 800_000, 3_600_000]);
  });
});
