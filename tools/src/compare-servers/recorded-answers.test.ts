import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Recording } from './recording.ts';
import { wholeAnswer } from './recording.ts';
import { ask, subjects } from './requests.ts';
import type { AskedServer } from './servers.ts';
import { embeddedServer } from './servers.ts';

const recording = JSON.parse(readFileSync(new URL('recorded-answers.json', import.meta.url), 'utf8')) as Recording;

describe(`the embedded server answers as ${recording.server} did`, () => {
  let server: AskedServer;
  beforeAll(async () => {
    server = await embeddedServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test.each(subjects())('about a changed $name', async (subject) => {
    const [asIs, ...others] = recording.answers[subject.name] ?? [];
    expect(asIs).toBeDefined();
    if (asIs === undefined) return;
    expect(await ask(server.client, subject, undefined)).toEqual(asIs);
    for (const answer of others) {
      const given = await ask(server.client, subject, answer.change);
      expect({ change: answer.change, ...given }).toEqual({ change: answer.change, ...wholeAnswer(asIs, answer) });
    }
  });
});
