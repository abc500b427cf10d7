import { type Child, startChild } from './child.ts';
import type { ClusterAddress } from './cluster-child.ts';
import { type Decision, decisionOf } from '../log/decision.ts';
import { repository } from '../../repository.ts';

/** Starts the bundled controller against the cluster; calls `onDecision` for each line of its log that tells of one. */
export const startController = (address: ClusterAddress, onDecision: (decision: Decision) => void): Child =>
  startChild({
    name: 'the controller',
    args: [repository('apps/controller/dist/main.js'), '--metrics-port=0', '--health-probe-port=0'],
    env: address.environment,
    onLine: (line) => {
      const decision = decisionOf(line);
      if (decision) onDecision(decision);
    },
  });
