import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../apps/cli/src/testing/run-command.ts';
import { fencesOf } from './fence-checks.ts';
import { fencePlaceOf } from './fence.ts';

/** `$ karpenter …`, and what it answers up to the next command or the end. */
const runsIn = (text: string): readonly { readonly line: string; readonly answer: string }[] =>
  text
    .split(/^\$ karpenter /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...answer] = part.split('\n');
      return { line, answer: answer.join('\n').trimEnd() };
    });

const runs = fencesOf('cli').flatMap((fence) =>
  runsIn(fence.text).map((run) => [`${fencePlaceOf(fence)} karpenter ${run.line}`, run] as const),
);

describe('what the command line is said to answer', () => {
  test.each(runs)('%s', async (_, { line, answer }) => {
    const { out, complaints } = await runCommand(line);
    expect(`${complaints.join('\n')}${out}`.trimEnd()).toBe(answer);
  });
});
