import { type Clock, fakeClock } from '@karpenter/runtime';
import { runCli } from '../command/program.ts';
import type { CommandExitCode } from '../exit-code.ts';
import { formerPool, samplePods, samplePool } from './sample-manifests.ts';
import { SAMPLE_NOW_MS, sampleCluster } from './sample-cluster.ts';

/** What a command wrote, and how it ended. */
export interface CommandRun {
  readonly code: CommandExitCode;
  readonly out: string;
  readonly complaints: readonly string[];
}

/** How a command is run. */
export interface RunOptions {
  /** Name → text, beside `cluster.json`, `pods.yaml`, `nodepool.yaml` and `old.yaml` of the samples. */
  readonly files?: Readonly<Record<string, string>>;
  /** Columns of a terminal; a pipe when left out. */
  readonly width?: number;
  readonly hasColor?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Gets each text that is written to standard output. */
  readonly onWrite?: (text: string) => void;
}

/** The sample cluster as `kubectl get -o json` writes it. */
export const sampleJson = (): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: sampleCluster() });

/** Runs a command line in this process. `--from cluster.json` reads the sample cluster. */
export const runCommand = async (line: string, options: RunOptions = {}): Promise<CommandRun> => {
  const { files = {}, width, hasColor = false, env = {}, clock = fakeClock(SAMPLE_NOW_MS), signal, onWrite } = options;
  const known: Readonly<Record<string, string>> = {
    'cluster.json': sampleJson(),
    'pods.yaml': samplePods,
    'nodepool.yaml': samplePool,
    'old.yaml': formerPool,
    '-': formerPool,
    ...files,
  };
  const out: string[] = [];
  const complaints: string[] = [];
  const write = (text: string): void => {
    out.push(text);
    onWrite?.(text);
  };
  const code = await runCli(line.split(' '), {
    out: { write, width, hasColor },
    complain: (text) => complaints.push(text),
    readText: (file) => {
      const text = known[file];
      return text === undefined ? Promise.reject(Object.assign(new Error(file), { code: 'ENOENT' })) : Promise.resolve(text);
    },
    env,
    clock,
    signal: signal ?? new AbortController().signal,
  });
  return { code, out: out.join(''), complaints };
};
