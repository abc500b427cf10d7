import type { ClusterView } from './cluster-view.ts';
import { viewOf } from './cluster-view.ts';
import type { UsageSample } from '../controller/own-usage.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import type { Phase } from './scenarios.ts';
import { phaseEnd } from './waited-for.ts';

/** What a phase took and how it ended. */
export interface PhaseResult {
  readonly phase: Phase;
  /** On the cluster's clock. */
  readonly tookMs: number;
  readonly realMs: number;
  /** False: it was stopped when its time was over. */
  readonly isDone: boolean;
  readonly end: ClusterView;
  readonly usage: UsageSample;
}

/** A phase for which the suite names no time. */
const DEFAULT_MINUTES = 30;
/** It is stopped after this many times of what it may take. */
const PATIENCE = 1.5;

const change = ({ local }: ScaleCluster, { create = [], scale = {}, drifts = false }: Phase): void => {
  for (const object of create) local.create(object);
  for (const [name, replicas] of Object.entries(scale)) {
    local.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
  }
  const body = { spec: { template: { metadata: { annotations: { 'test-drift-trigger': 'drift-1' } } } } };
  if (drifts) local.patch('NodePool', { name: 'default' }, { type: 'merge', body });
};

/** Makes the phase's change and waits for what comes of it. Errors: the controller's end. */
export const runPhase = async (cluster: ScaleCluster, phase: Phase): Promise<PhaseResult> => {
  const { local, clock } = cluster;
  const isOver = phaseEnd(phase, clock, viewOf(local));
  const limitMs = (phase.thresholds.minutes ?? DEFAULT_MINUTES) * PATIENCE * 60_000;
  await cluster.usage();
  const [startMs, realStartMs] = [clock.now(), performance.now()];
  change(cluster, phase);
  let view = viewOf(local);
  let isDone = false;
  while (!isDone && clock.now() - startMs < limitMs) {
    await cluster.step();
    view = viewOf(local);
    isDone = isOver(view);
  }
  const [tookMs, realMs] = [clock.now() - startMs, performance.now() - realStartMs];
  return { phase, tookMs, realMs, isDone, end: view, usage: await cluster.usage() };
};
