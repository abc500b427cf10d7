import { describe, expect, test } from '@jest/globals';
import { parseDemoArguments } from './demo-arguments.ts';

describe('the demo’s arguments', () => {
  test('default to a run at twenty times the speed that ends by itself', () => {
    expect(parseDemoArguments([])).toEqual({ kind: 'run', arguments: { keep: false, tour: true, speed: 20 } });
  });

  test('--keep and --speed are taken', () => {
    expect(parseDemoArguments(['--keep', '--speed', '60'])).toEqual({ kind: 'run', arguments: { keep: true, tour: true, speed: 60 } });
  });

  test('--no-tour keeps the cluster', () => {
    expect(parseDemoArguments(['--no-tour'])).toEqual({ kind: 'run', arguments: { keep: true, tour: false, speed: 20 } });
  });

  test('--time-limit is taken in seconds', () => {
    expect(parseDemoArguments(['--time-limit=2'])).toEqual({
      kind: 'run',
      arguments: { keep: false, tour: true, speed: 20, timeLimitMs: 2000 },
    });
  });

  test.each([['--speed=fast'], ['--speed=0'], ['--speed='], ['--time-limit=0'], ['--sped=1'], ['now']])(
    '%s is refused with exit code 2',
    (argument) => {
      expect(parseDemoArguments([argument])).toMatchObject({ kind: 'say', exitCode: 2 });
    },
  );
});
