import { type Child, startChild } from './child.ts';
import type { ClusterAddress } from './cluster-child.ts';
import { type Decision, decisionOf } from './decision.ts';
import { repository } from './repository.ts';

export interface ControllerChild extends Child {
  /** The last lines of the log, for when something went wrong. */
  lastLines(): readonly string[];
}

const KEPT_LINES = 20;

/** Starts the bundled controller against the cluster; calls `onDecision` for each line of its log that tells of one. */
export const startController = (address: ClusterAddress, onDecision: (decision: Decision) => void): ControllerChild => {
  const kept: string[] = [];
  const child = startChild({
    name: 'the controller',
    args: [repository('apps/controller/dist/main.js'), '--metrics-port=0', '--health-probe-port=0'],
    env: address.environment,
    onLine: (line) => {
      kept.push(line);
      if (kept.length > KEPT_LINES) kept.shift();
      const decision = decisionOf(line);
      if (decision) onDecision(decision);
    },
  });
  return { ...child, lastLines: () => kept };
};
