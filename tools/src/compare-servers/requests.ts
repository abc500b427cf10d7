import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { RawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import type { ServerAnswer } from './answers.ts';
import { answerOf } from './answers.ts';
import type { Json, Mutation } from './mutations.ts';
import { withMutation } from './mutations.ts';

/** An object that servers have to create. */
export interface Subject {
  readonly name: string;
  readonly path: string;
  readonly object: Json;
}

/** Every object of `objects.yaml`. */
export const subjects = (): readonly Subject[] =>
  parse(readFileSync(new URL('objects.yaml', import.meta.url), 'utf8')) as readonly Subject[];

/** Asks a server to create an object with a change, as a dry run; without a change, the object itself. */
export const sendToServer = async (
  client: RawKubeClient,
  { path, object }: Subject,
  change: Mutation | undefined,
): Promise<ServerAnswer> => {
  const body = change === undefined ? object : withMutation(object, change);
  const { status, body: answer } = await client.call(`${path}?dryRun=All&fieldManager=compare`, { method: 'POST', body });
  return answerOf(status, answer);
};
