import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import { aNodeClaim } from '../../testing/objects.ts';
import type { CommandRun } from './command-runs.ts';
import { commandTimeoutMs, nextStep } from './command-steps.ts';

const replacement = (initialized: boolean): NodeClaim =>
  aNodeClaim('r', { status: { conditions: [{ type: 'Initialized', status: initialized ? 'True' : 'Unknown' }] } });
const command = { method: 'emptiness', reason: 'Empty', decision: 'delete', candidates: [], replacements: [], savingsPerHour: 0 } as const;
const runAt = (stage: CommandRun['stage']): CommandRun => ({ startedMs: 0, stage, summary: { ...command, id: 'x' } });
const validating = runAt({ kind: 'validating', untilMs: 15, command });
const step = (run: CommandRun, nowMs: number, { claim, isExchanging = true }: { claim?: NodeClaim; isExchanging?: boolean } = {}) =>
  nextStep(run, { nowMs, candidateCount: 1, validationsMs: [], isExchanging, claimNamed: () => claim });
const replacing = runAt({ kind: 'replacing', claimNames: ['r'] });

describe('a command', () => {
  test.each([
    ['waits for its second pass', validating, 14, undefined, { kind: 'wait' }],
    ['is evaluated again when the time has come', validating, 15, undefined, { kind: 'validate', command }],
    [
      'whose replacement the API server keeps rejecting is abandoned after ten minutes',
      validating,
      600_000,
      undefined,
      { kind: 'abandon', why: 'timeout' },
    ],
    ['without replacements is finished at once', runAt({ kind: 'replacing', claimNames: [] }), 15, undefined, { kind: 'finish' }],
    ['waits for its replacement', replacing, 15, { claim: replacement(false) }, { kind: 'wait' }],
    ['is finished when its replacement can run pods', replacing, 15, { claim: replacement(true) }, { kind: 'finish' }],
    [
      'is abandoned when its replacement goes, even if the cache still shows it',
      replacing,
      15,
      { claim: replacement(true), isExchanging: false },
      { kind: 'abandon', why: 'replacement-gone' },
    ],
    ['is abandoned after ten minutes', replacing, 600_000, { claim: replacement(false) }, { kind: 'abandon', why: 'timeout' }],
    [
      'that was called off is taken back until that is done, for the same reason',
      runAt({ kind: 'called-off', why: 'limit' }),
      15,
      undefined,
      { kind: 'abandon', why: 'limit' },
    ],
  ] as const)('%s', (...[, run, nowMs, facts, expected]) => {
    expect(step(run, nowMs, facts)).toEqual(expected);
  });

  describe('beside others', () => {
    const single = { ...command, method: 'single-node', reason: 'Underutilized' } as const;
    const due = (method: 'single-node' | 'emptiness', validationsMs: readonly number[], nowMs = 20_000) => {
      const run = runAt({ kind: 'validating', untilMs: 20_000, command: method === 'emptiness' ? command : single });
      return nextStep(run, { nowMs, candidateCount: 1, validationsMs, isExchanging: true, claimNamed: () => undefined }).kind;
    };
    test.each([
      [
        'that are validated within five seconds waits, so that their nodes are closed before its pods leave',
        due('single-node', [25_000]),
        'wait',
      ],
      ['that are validated later does not wait', due('single-node', [25_001]), 'validate'],
      ['that are due as well does not wait', due('single-node', [20_000, 24_000], 24_000), 'validate'],
      ['does not wait when its nodes are empty', due('emptiness', [25_000]), 'validate'],
    ])('%s', (...[, found, expected]) => expect(found).toBe(expected));
  });

  test('has more time among many, up to an hour', () => {
    expect([1, 10_000, 1_000_000].map(commandTimeoutMs)).toEqual([600_000, 800_000, 3_600_000]);
  });
});
