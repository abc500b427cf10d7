import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ProvisionMode, provisionModes } from '../stories/provision-mode.ts';
import { casesOf } from './acceptance-cases.ts';
import { runOnEmulator } from './emulator-run.ts';
import { interruption } from './interruption.ts';
import { deleteCluster, makeCluster, type RealCluster, runOnCluster, stillBilled } from './real-cluster.ts';
import type { Recording } from './recording.ts';
import type { AcceptanceRun, CaseResult } from './run-cases.ts';
import { forecastOf } from './run-forecast.ts';

const USAGE = `usage: pnpm acceptance:azure [options]

  --suite NAME         only the cases of one suite
  --subscription ID    on a real AKS cluster in this subscription, made for the run and deleted after it (needs az, signed in; kubectl)
  --location NAME      region of that cluster (default: eastus)
  --mode NAME          provision mode of the controller (default: aksscriptless)
  --variable NAME=TEXT a variable of the controller beside those of the cluster; repeat it for several
  --recording FILE     where requests and answers are kept, without secrets (default: azure-recording.json)
  --replay FILE        on the emulator, which answers with the sizes, quotas, images and providers of a recording, in its region
  --keep               leaves the cluster and its resource group, which go on costing

An interrupted run (Ctrl-C, SIGTERM) deletes its cluster too. A second signal says what still costs, and ends at once.
`;

const INTERRUPTED = 130;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const printing = (results: CaseResult[]) => (result: CaseResult) => {
  results.push(result);
  say(`${result.failure === undefined ? 'passed' : 'FAILED'}  ${result.suite}: ${result.title}`);
  if (result.failure !== undefined) say(`        ${result.failure}`);
};

/** Deletes the cluster. If that fails too, the last line is what still costs. */
const takeDown = async (real: RealCluster): Promise<void> => {
  try {
    await deleteCluster(real);
  } catch (error) {
    say(stillBilled(real));
    throw error;
  }
};

const onAzure = async (real: RealCluster, run: AcceptanceRun, isKept: boolean): Promise<void> => {
  const atOnce = (): never => {
    say(stillBilled(real));
    process.exit(INTERRUPTED);
  };
  using interrupted = interruption(atOnce);
  for (const line of forecastOf(run.cases.length, real.location)) say(line);
  try {
    await makeCluster(real, interrupted.signal);
    await runOnCluster(real, { ...run, signal: interrupted.signal }, say);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    say('interrupted: the cluster is deleted now, which takes minutes');
  } finally {
    if (isKept) say(stillBilled(real));
    else await takeDown(real);
  }
};

const onEmulated = async (run: AcceptanceRun, replayFile: string | undefined): Promise<void> => {
  const replay = replayFile === undefined ? undefined : (JSON.parse(readFileSync(replayFile, 'utf8')) as Recording);
  const { replayed } = await runOnEmulator(run, replay && { replay });
  if (replay !== undefined) say(`${replayed} answers were those of the recording of ${replay.recordedAt}`);
};

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    mode: { type: 'string', default: 'aksscriptless' },
    variable: { type: 'string', multiple: true, default: [] },
    subscription: { type: 'string' },
    location: { type: 'string', default: 'eastus' },
    recording: { type: 'string', default: 'azure-recording.json' },
    replay: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const modeOf = (wanted: string): ProvisionMode['name'] => {
  const known = provisionModes.find(({ name }) => name === wanted);
  if (known === undefined) throw new Error(`--mode ${wanted}: expected ${provisionModes.map(({ name }) => name).join(', ')}`);
  return known.name;
};

const main = async (): Promise<number> => {
  const results: CaseResult[] = [];
  const { subscription, location, recording, replay, keep, suite } = values;
  if (subscription !== undefined && replay !== undefined) throw new Error('--replay plays on the emulator: leave --subscription out');
  const mode = modeOf(values.mode);
  const cases = casesOf(mode).filter((each) => suite === undefined || each.suite === suite);
  const variables = Object.fromEntries(values.variable.map((each) => [each.split('=')[0] ?? '', each.slice(each.indexOf('=') + 1)]));
  const run: AcceptanceRun = { cases, mode, variables, onResult: printing(results) };
  if (subscription === undefined) await onEmulated(run, replay);
  else await onAzure({ subscription, location, recordingFile: recording }, run, keep);
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  say(`${results.length - failed} of ${cases.length} passed`);
  return failed > 0 || results.length < cases.length || cases.length === 0 ? 1 : 0;
};

if (values.help) say(USAGE);
else process.exitCode = await main();
