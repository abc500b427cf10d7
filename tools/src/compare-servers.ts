/**
 * Asks a real kube-apiserver and the embedded one to create the same objects, each changed in some thousand ways, and prints where the answers
 * differ. Needs KUBEBUILDER_ASSETS, a folder with `etcd` and `kube-apiserver`. Fails on a difference that is not a known one.
 * `--record` writes the answers of the real server that the embedded one is held to on machines without it; names of objects choose some.
 */
import { writeFileSync } from 'node:fs';
import type { KubeClient } from '../../packages/simulator/src/contract/kube-client.ts';
import { differenceOf } from './compare-servers/answers.ts';
import { knownDifference } from './compare-servers/known-differences.ts';
import { mutationsOf, mutationText } from './compare-servers/mutations.ts';
import type { RecordedAnswer } from './compare-servers/recording.ts';
import { chosenAnswers } from './compare-servers/recording.ts';
import type { Subject } from './compare-servers/requests.ts';
import { ask, subjects } from './compare-servers/requests.ts';
import { embeddedServer, realServer } from './compare-servers/servers.ts';

const assets = process.env['KUBEBUILDER_ASSETS'];
if (assets === undefined) throw new Error('KUBEBUILDER_ASSETS must name a folder with etcd and kube-apiserver');
const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('--'));

await using real = await realServer(assets);
await using embedded = await embeddedServer();

interface Comparison {
  readonly asked: number;
  readonly known: number;
  readonly unknown: readonly string[];
  readonly answers: readonly RecordedAnswer[];
}

const compare = async (subject: Subject): Promise<Comparison> => {
  const answers: RecordedAnswer[] = [];
  const unknown: string[] = [];
  let known = 0;
  const changes = [undefined, ...mutationsOf(subject.object)];
  for (const change of changes) {
    const [wanted, given] = await Promise.all([real, embedded].map(({ client }) => ask(client, subject, change)));
    if (wanted === undefined || given === undefined) continue;
    const difference = differenceOf(wanted, given);
    const text = change === undefined ? 'as it is' : mutationText(change);
    if (difference === undefined) answers.push({ ...(change === undefined ? {} : { change }), ...wanted });
    else if (knownDifference(subject.name, text) === undefined) unknown.push(`${text} | ${difference}`);
    else known += 1;
  }
  return { asked: changes.length, known, unknown, answers };
};

const versionOf = async (client: KubeClient): Promise<string> => {
  const { major, minor } = (await client.call('/version')).body;
  return `kube-apiserver ${String(major)}.${String(minor)}`;
};

const recorded: Record<string, readonly RecordedAnswer[]> = {};
const ways = new Set<string>();
let failures = 0;
for (const subject of subjects().filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  const { asked, known, unknown, answers } = await compare(subject);
  console.log(`${subject.name}: ${asked} asked, ${known} known differences, ${unknown.length} unknown`);
  for (const line of unknown) console.log(`  ${line}`);
  failures += unknown.length;
  const [asIs, ...others] = answers;
  if (asIs !== undefined) recorded[subject.name] = [asIs, ...chosenAnswers(asIs, others, ways)];
}
if (words.includes('--record')) {
  const answersOf = ([name, answers]: [string, readonly RecordedAnswer[]]): string =>
    `${JSON.stringify(name)}: [\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]`;
  const server = JSON.stringify(await versionOf(real.client));
  const text = `{ "server": ${server}, "answers": {\n${Object.entries(recorded).map(answersOf).join(',\n')}\n} }\n`;
  writeFileSync(new URL('compare-servers/recorded-answers.json', import.meta.url), text);
}
process.exitCode = failures === 0 ? 0 : 1;
