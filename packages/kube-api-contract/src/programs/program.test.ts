import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Program, startProgram } from './program.ts';

const startEndless = (): Program =>
  startProgram(
    { path: process.execPath, logPath: join(mkdtempSync(join(tmpdir(), 'program-')), 'log') },
    { eval: 'setInterval(() => undefined, 1000)' },
  );

test('a program that was killed is started again', async () => {
  await using program = startEndless();
  await program.kill();
  await program.restart();
  expect(program.isRunning()).toBe(true);
});

test.each(['while it runs', 'while it is frozen', 'while it is started again'] as const)(
  'a program that is disposed %s stays down, whoever starts it again',
  async (when) => {
    const program = startEndless();
    if (when === 'while it is frozen') program.freeze();
    const restarted = when === 'while it is started again' ? program.restart() : undefined;
    await program[Symbol.asyncDispose]();
    await restarted;
    await program.restart();
    expect(program.isRunning()).toBe(false);
  },
);
