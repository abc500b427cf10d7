import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const app = join(import.meta.dirname, '..', '..');
/** The chart of the controller, and that of its CustomResourceDefinitions. */
export const charts = { controller: join(app, 'chart'), crds: join(app, 'chart-crds') };

const command = process.env['HELM'] ?? 'helm';
const isThere = spawnSync(command, ['version']).status === 0;
if (!isThere) {
  process.stderr.write(`helm is not installed (searched for "${command}"): the suites of the chart cannot run here; they fail under CI\n`);
}

/** A suite that needs helm, which has to be there in CI; elsewhere the suite is skipped, and standard error says why. */
export const describeWithHelm = isThere || process.env['CI'] !== undefined ? describe : describe.skip;

/** What helm said. */
export interface HelmAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const KUBE = '--kube-version=v1.35.0';
/**
 * `templateLater`: for a later Kubernetes version with other rules. `notes`: a dry-run installation that prints the
 * chart's notes.
 */
const verbs = {
  lint: ['lint', KUBE],
  template: ['template', 'karpenter', KUBE],
  templateLater: ['template', 'karpenter', '--kube-version=v1.99.0'],
  notes: ['install', 'karpenter', '--dry-run=client'],
};

/** Helm ends before its garbage collector pays: without it, a call takes a fifth less of the processor. */
const env = { ...process.env, GOGC: 'off' };

/**
 * Runs `helm <verb> … <chart>` as a release `karpenter` would be rendered for a cluster of `v1.35.0`; `values` are as
 * in a values file.
 */
export const helm = (verb: keyof typeof verbs, chart: string, values: object = {}): HelmAnswer => {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-helm-'));
  try {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const args = [...verbs[verb], chart, '--namespace=karpenter', `--values=${file}`];
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env });
    return { code: status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
};
