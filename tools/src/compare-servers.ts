/**
 * Asks a real kube-apiserver and the embedded one the same, and prints where the answers differ: to create objects,
 * each changed in some hundred ways, and the conversations of `compare-servers/conversations`. Needs
 * KUBEBUILDER_ASSETS, a folder with `etcd` and `kube-apiserver`. Fails on a difference that is not a known one.
 * `--record` writes the answers of the real server that the embedded one is held to on machines without it; names of
 * objects and conversations choose some.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RawKubeClient } from '../../packages/kube-api-contract/src/kube-client.ts';
import type { ServerAnswer } from './compare-servers/answers.ts';
import { compareConversation } from './compare-servers/compare-conversation.ts';
import type { CreateComparison } from './compare-servers/compare-creates.ts';
import { compareCreates } from './compare-servers/compare-creates.ts';
import { conversations } from './compare-servers/conversations.ts';
import { converse } from './compare-servers/converse.ts';
import type { RecordedAnswer, Recording } from './compare-servers/recording.ts';
import { chosenAnswers, recordingText, shortAnswers } from './compare-servers/recording.ts';
import { subjects } from './compare-servers/requests.ts';
import { embeddedServer, realServer } from './compare-servers/servers.ts';

const assets = process.env['KUBEBUILDER_ASSETS'];
if (assets === undefined) throw new Error('KUBEBUILDER_ASSETS must name a folder with etcd and kube-apiserver');
const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('--'));
const isChosen = ({ name }: { readonly name: string }): boolean => chosen.length === 0 || chosen.includes(name);

await using real = await realServer(assets);
await using embedded = await embeddedServer();
const servers = { real: real.client, embedded: embedded.client };

const sums = { asked: 0, known: 0, unknown: 0 };
const report = (name: string, { asked, known, unknown }: CreateComparison): void => {
  console.log(`${name}: ${asked} asked, ${known} known differences, ${unknown.length} unknown`);
  for (const line of unknown) console.log(`  ${line}`);
  sums.asked += asked;
  sums.known += known;
  sums.unknown += unknown.length;
};

const creates: Record<string, readonly RecordedAnswer[]> = {};
const ways = new Set<string>();
for (const subject of subjects().filter(isChosen)) {
  const comparison = await compareCreates(servers, subject);
  report(subject.name, comparison);
  const [asIs, ...others] = comparison.answers;
  if (asIs !== undefined) creates[subject.name] = [asIs, ...chosenAnswers(asIs, others, ways)];
}

const spoken: Record<string, readonly ServerAnswer[]> = {};
for (const conversation of conversations().filter(isChosen)) {
  const [wanted, given] = [await converse(servers.real, conversation), await converse(servers.embedded, conversation)];
  report(conversation.name, compareConversation(conversation, wanted, given));
  spoken[conversation.name] = shortAnswers(wanted);
}
console.log(`${sums.asked} asked, ${sums.known} known differences, ${sums.unknown} unknown`);

const versionOf = async (client: RawKubeClient): Promise<string> => {
  const { major, minor } = (await client.call('/version')).body;
  return `kube-apiserver ${String(major)}.${String(minor)}`;
};

if (words.includes('--record')) {
  const server = await versionOf(real.client);
  const files = { 'recorded-answers.json': creates, 'recorded-conversations.json': spoken };
  for (const [name, answers] of Object.entries(files)) {
    const file = new URL(`compare-servers/${name}`, import.meta.url);
    const { answers: before } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
    writeFileSync(file, recordingText({ server, answers: chosen.length === 0 ? answers : { ...before, ...answers } }));
  }
}
process.exitCode = sums.unknown === 0 ? 0 : 1;
