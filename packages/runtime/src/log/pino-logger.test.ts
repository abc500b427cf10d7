import { expect, test } from '@jest/globals';
import { loggerWith } from './logger.ts';
import { createPinoLogger } from './pino-logger.ts';

const logging = () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  return { lines, logger: createPinoLogger({ destination, base: { commit: 'abc' } }) };
};

test('a line is JSON with level, time, message and fields', () => {
  const { lines, logger } = logging();
  loggerWith(logger, { logger: 'provisioner', object: 'a' }).info('found pods', { pods: 3, object: 'b' });
  expect(lines).toEqual([
    {
      level: 'INFO',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      commit: 'abc',
      message: 'found pods',
      logger: 'provisioner',
      object: 'b',
      pods: 3,
    },
  ]);
});

test('the level can change while the process runs', () => {
  const { lines, logger } = logging();
  logger.debug('not yet');
  logger.setLevel('debug');
  logger.debug('now');
  logger.setLevel('error');
  logger.warn('no more');
  expect(lines.map(({ message }) => message)).toEqual(['now']);
});

test('an error is written with its code and its cause', () => {
  const { lines, logger } = logging();
  logger.error('failed', { error: Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'server' }) });
  expect(lines[0]?.['error']).toMatchObject({ message: 'outer', code: 'server', cause: { message: 'inner' } });
});

test('what an author of objects writes ends no line and reaches no terminal, and is read as it was written', () => {
  const written: string[] = [];
  const logger = createPinoLogger({ destination: { write: (line: string) => void written.push(line) } });
  const name = 'a\u0085b\u2028c\u2029d\u009b2Je\u202ef\u007f\u001b\n';
  logger.info('found', { name });
  const [line = ''] = written;
  expect(line.trimEnd()).not.toMatch(/\p{Cc}|[\u2028\u2029\u202e]/u);
  expect(JSON.parse(line)).toMatchObject({ name });
});
