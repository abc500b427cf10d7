import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { createPinoLogger, type LogLevel } from '@karpenter/runtime';
import { switchLogLevel } from './log-level-switch.ts';

const scene = (chosen: LogLevel) => {
  const messages: string[] = [];
  const destination = { write: (line: string) => void messages.push((JSON.parse(line) as { readonly message: string }).message) };
  const logger = createPinoLogger({ level: chosen, destination });
  const signals = new EventEmitter();
  switchLogLevel(signals, { logger, chosen });
  const written = (): readonly string[] => {
    messages.length = 0;
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level);
    return [...messages];
  };
  return { messages, written, signal: () => signals.emit('SIGUSR2') };
};

const levels = ['debug', 'info', 'warn', 'error'];

test.each<[LogLevel, readonly string[], readonly string[]]>([
  ['debug', levels, levels.slice(1)],
  ['info', levels.slice(1), levels],
  ['warn', levels.slice(2), levels],
  ['error', levels.slice(3), levels],
])('chosen %s: the first SIGUSR2 switches away from it, the second back', (chosen, before, between) => {
  const { written, signal } = scene(chosen);
  expect(written()).toEqual(before);
  signal();
  expect(written()).toEqual(between);
  signal();
  expect(written()).toEqual(before);
});

test('a switch is said, whatever the level', () => {
  const { messages, signal } = scene('error');
  signal();
  signal();
  expect(messages).toEqual(['log level switched', 'log level switched']);
});
