import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ensureBundles } from './testing/ensure-bundles.ts';
import { type DemoRun, runInPipe } from './testing/demo-run.ts';
import { fencesOf } from '../pages/fence-checks.ts';

jest.setTimeout(240_000);

/** Takes a minute and a half, mostly waiting: the other runs go on beside it. */
let tour: Promise<DemoRun>;

beforeAll(() => {
  ensureBundles();
  tour = runInPipe({ args: ['--speed', '200'] });
});

afterAll(() => tour);

const matching = (lines: readonly string[], pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;

/** Asks until the server listens: the demo prints addresses before that. */
const answerOf = async (url: string): Promise<Response> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await fetch(url);
    } catch (error) {
      if (tries === 300) throw error;
      await setTimeout(100);
    }
};

/** What the dashboard serves at `/` and at `/api/state`. */
const dashboardAnswers = async (lines: readonly string[]): Promise<readonly [string, unknown]> => {
  const address = lines.map((line) => /^▸ dashboard: (\S+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  const page = await answerOf(`${address}/`);
  const state = await answerOf(`${address}/api/state`);
  return [await page.text(), await state.json()];
};

/** A line without what differs from run to run: names, sizes, figures, and whether a noun is plural. */
const shapeOf = (line: string): string =>
  line
    .replaceAll(/general-purpose-[a-z0-9]{8}/g, 'NAME')
    .replaceAll(/Standard_\w+/g, 'SIZE')
    .replaceAll(/\d+ m \d+ s|\d[\d.]*/g, '0')
    .replaceAll(/\b(pod|node)s\b/g, '$1');

describe('the demo', () => {
  test('ends with 1 and the reason when a step does not come true in time', async () => {
    const { exitCode, lines, leftBehind } = await runInPipe({ args: ['--speed', '1', '--time-limit', '1'] });
    expect(exitCode).toBe(1);
    expect(leftBehind).toEqual([]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}✘ scale inflate to 5: not true after 1 s: 5 pods run and every node is ready \(now: /),
    );
  });

  test('with --keep, when a step does not come true in time › the cluster stays up until Ctrl-C', async () => {
    const args = ['--keep', '--speed', '1', '--time-limit', '1'];
    const { exitCode, lines, leftBehind } = await runInPipe({ args, interruptAt: '▸ the tour ends here' });
    expect({ exitCode, leftBehind }).toEqual({ exitCode: 1, leftBehind: [] });
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}✘ scale inflate to 5: not true after 1 s: /));
    expect(lines).toContain('▸ the tour ends here, and the cluster stays up until Ctrl-C');
  });

  test('with --no-tour says first how to reach the cluster, scales nothing, and serves a dashboard', async () => {
    let served: readonly [string, unknown] | undefined;
    const { exitCode, lines, leftBehind } = await runInPipe({
      args: ['--no-tour'],
      interruptAt: '▸ applied deployment',
      beforeInterrupt: async (soFar) => void (served = await dashboardAnswers(soFar)),
    });
    expect({ exitCode, leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
    expect(lines[1]).toBe('The cluster stays up until Ctrl-C. In another terminal:');
    expect(lines[2]).toMatch(/^ {2}export KUBECONFIG=.*\/kubeconfig$/);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}curl http:\/\/localhost:\d+\/metrics$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}tail -f .*\/controller\.log$/));
    expect(served).toEqual([
      expect.stringContaining('<title>Karpenter</title>'),
      expect.objectContaining({ isLeader: expect.any(Boolean) }),
    ]);
    expect(matching(lines, /^▸ scale/)).toBe(0);
  });

  test('ends with 130 and leaves nothing behind after Ctrl-C', async () => {
    const { exitCode, lines, leftBehind } = await runInPipe({ args: [], interruptAt: '▸ scale' });
    expect(exitCode).toBe(130);
    expect(lines.at(-1)).toBe('✘ interrupted (SIGINT)');
    expect(leftBehind).toEqual([]);
  });

  test('prints every step as lines, ends with 0 when all came true, and leaves nothing behind', async () => {
    const { exitCode, lines, leftBehind } = await tour;
    expect({ exitCode, lines: exitCode === 0 ? [] : lines }).toEqual({ exitCode: 0, lines: [] });
    expect(leftBehind).toEqual([]);
    expect(lines.filter((line) => line.startsWith('▸ scale'))).toEqual([
      '▸ scale inflate to 5',
      '▸ scale inflate to 60',
      '▸ scale inflate to 0',
    ]);
    const took = String.raw`\d[\dm .]* s`;
    const priced = String.raw`\$\d+\.\d{3}/h`;
    for (const replicas of [5, 60])
      expect(lines).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^  ✔ scale inflate to ${replicas}: launched after ${took} · all pods bound after ${took} · settled after ${took} · ${priced} → ${priced}$`,
          ),
        ),
      );
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^  ✔ scale inflate to 0: settled after ${took} · ${priced} → \\$0.000/h$`)),
    );
    const saved = lines.find((line) => line.startsWith('  saved by'));
    expect(saved).toMatch(new RegExp(`^  saved by deleting nodes: ${priced}$`));
    expect(saved).not.toContain('$0.000');
    const shown = new Set(lines.map(shapeOf));
    for (const { text } of fencesOf('demo')) for (const line of text.trimEnd().split('\n')) expect(shown).toContain(shapeOf(line));
    const launched = matching(lines, /^ {2}· launched \S+ as Standard_D\S+ in eastus-\d \(on-demand\)$/);
    expect(launched).toBeGreaterThan(1);
    expect(matching(lines, /^ {2}· \S+ is ready$/)).toBe(launched);
    expect(matching(lines, /^ {2}· \S+ is gone$/)).toBe(launched);
  });
});
