import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compareConversation } from './compare-conversation.ts';
import { conversations } from './conversations.ts';
import { converse } from './converse.ts';
import type { Recording } from './recording.ts';
import { longAnswers, wholeAnswer } from './recording.ts';
import { sendToServer, subjects } from './requests.ts';
import type { AskedServer } from './servers.ts';
import { embeddedServer } from './servers.ts';

const recordingIn = (file: string): Recording => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Recording;

const recording = recordingIn('recorded-answers.json');
const spoken = recordingIn('recorded-conversations.json');

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
    expect(await sendToServer(server.client, subject, undefined)).toEqual(asIs);
    for (const answer of others) {
      const given = await sendToServer(server.client, subject, answer.change);
      expect({ change: answer.change, ...given }).toEqual({ change: answer.change, ...wholeAnswer(asIs, answer) });
    }
  });

  test.each(conversations())(
    'in the conversation $name',
    async (conversation) => {
      const wanted = longAnswers(spoken.answers[conversation.name] ?? []);
      expect(wanted).toHaveLength(conversation.requests.length);
      const { unknown } = compareConversation(conversation, wanted, await converse(server.client, conversation));
      expect(unknown).toEqual([]);
    },
    60_000,
  );
});
