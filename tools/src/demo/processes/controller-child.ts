import { appendFileSync } from 'node:fs';
import { freePort } from '@karpenter/kube-api-contract/programs';
import { type Child, startChild } from './child.ts';
import type { ClusterAddress } from './cluster-child.ts';
import { type LoggedDecision, decisionOf } from '../log/decision.ts';
import { repository } from '../../repository.ts';

/** Where a running controller is reached. */
export interface ControllerChild extends Child {
  readonly dashboard: string;
  readonly metrics: string;
}

/** What a controller is started with. */
export interface ControllerChildOptions {
  readonly address: ClusterAddress;
  /** Takes each line of its log. */
  readonly logFile: string;
  /** Called for each line about a decision. */
  readonly onDecision: (decision: LoggedDecision) => void;
}

/** Starts the bundled controller against the cluster, with its dashboard. */
export const startController = async ({ address, logFile, onDecision }: ControllerChildOptions): Promise<ControllerChild> => {
  const [dashboardPort, metricsPort] = [await freePort(), await freePort()];
  const child = startChild({
    name: 'the controller',
    args: [
      repository('apps/controller/dist/main.mjs'),
      ...[`--metrics-port=${metricsPort}`, '--health-probe-port=0', `--dashboard-port=${dashboardPort}`],
      // The only replica: a laptop that slept longer than a lease lasts finds it running.
      '--disable-leader-election=true',
    ],
    env: address.environment,
    onLine: (line) => {
      appendFileSync(logFile, `${line}\n`);
      const decision = decisionOf(line);
      if (decision) onDecision(decision);
    },
  });
  return { ...child, dashboard: `http://localhost:${dashboardPort}`, metrics: `http://localhost:${metricsPort}/metrics` };
};
