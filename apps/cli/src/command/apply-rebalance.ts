import { karpenterKinds } from '@karpenter/core/controllers';
import type { RebalancePlan } from '@karpenter/core/internal';
import { createKubeClient, createTransport, kindTable, KubeError, systemClock } from '@karpenter/runtime';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import { clusterConnection, type KubeFlags } from '../read/live-reader.ts';

/** Says why no plan was created, and what to do about it. */
const refusalOf = (error: KubeError, server: string): string => {
  switch (error.code) {
    case 'not-found':
      return `the cluster at ${server} has no RebalancePlans: install the CRDs of this version`;
    case 'forbidden':
      return `a role is missing at ${server}: ${error.message}; rebalance-role.yaml among the examples has one that suffices`;
    default:
      return `the RebalancePlan was not created at ${server}: ${error.message}`;
  }
};

/** Creates the plan: the only write of the command line. Errors: CommandError. */
export const createRebalancePlan = async (flags: KubeFlags, plan: RebalancePlan): Promise<void> => {
  const connection = await clusterConnection(flags);
  const transport = createTransport(connection, { clock: systemClock, userAgent: 'karpenter-cli' });
  try {
    await createKubeClient(transport, kindTable([...karpenterKinds])).create(plan.kind, plan);
  } catch (error) {
    if (error instanceof KubeError) throw new CommandError(COMMAND_EXIT.unreadable, refusalOf(error, connection.server), error);
    throw error;
  } finally {
    await transport.close();
  }
};

/** `rebalance-20260601-120000`: who creates one a second gets no name twice. */
export const planNameAt = (nowMs: number): string =>
  `rebalance-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;

/** How to follow a plan and how to end it. */
export const applyText = ({ metadata: { name } }: RebalancePlan): string =>
  [
    `RebalancePlan ${name} created: a controller with the feature gate RebalancePlan carries it out, wave by wave.`,
    `  watch   kubectl get rebalanceplan ${name} --watch`,
    `  pause   kubectl patch rebalanceplan ${name} --type merge --patch '{"spec":{"paused":true}}'`,
    `  cancel  kubectl patch rebalanceplan ${name} --type merge --patch '{"spec":{"cancelled":true}}'`,
    '',
  ].join('\n');
