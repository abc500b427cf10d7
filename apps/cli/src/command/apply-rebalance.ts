import { karpenterKinds } from '@karpenter/core/controllers';
import type { RebalancePlan } from '@karpenter/core/internal';
import { createKubeClient, createTransport, kindTable, type KubeClient, KubeError, systemClock } from '@karpenter/runtime';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import { clusterConnection, type KubeFlags } from '../read/live-reader.ts';
import type { World } from './world.ts';

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

/** A controller with the feature gate writes the first status within a second or two. */
const TAKEN_UP_MS = 10_000;
const PERIOD_MS = 500;

/** Whether a controller has written a status to the plan in time. */
const isTakenUp = async (
  client: Pick<KubeClient, 'get'>,
  { kind, metadata }: RebalancePlan,
  { clock, signal }: Waiting,
): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < TAKEN_UP_MS && !signal.aborted; waitedMs += PERIOD_MS) {
    const plan = await client.get<RebalancePlan>(kind, { name: metadata.name }, { signal });
    if (plan?.status !== undefined) return true;
    await clock.sleep(PERIOD_MS, signal).catch(() => undefined);
  }
  return false;
};

type Waiting = Pick<World, 'clock' | 'signal'>;

/**
 * Creates the plan, the only write of the command line, and waits for a controller to take it up. Returns whether one
 * has. Errors: CommandError.
 */
export const createRebalancePlan = async (flags: KubeFlags, plan: RebalancePlan, waiting: Waiting): Promise<boolean> => {
  const connection = await clusterConnection(flags);
  const transport = createTransport(connection, { clock: systemClock, userAgent: 'karpenter-cli' });
  try {
    const client = createKubeClient(transport, kindTable([...karpenterKinds]));
    await client.create(plan.kind, plan);
    return await isTakenUp(client, plan, waiting);
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
export const applyText = ({ metadata: { name } }: RebalancePlan, isCarriedOut: boolean): string =>
  [
    isCarriedOut
      ? `RebalancePlan ${name} created: the controller carries it out, wave by wave.`
      : `RebalancePlan ${name} created, and after ${TAKEN_UP_MS / 1000} s no controller has taken it up: has it the feature gate RebalancePlan?`,
    `  watch   kubectl get rebalanceplan ${name} --watch`,
    `  pause   kubectl patch rebalanceplan ${name} --type merge --patch '{"spec":{"paused":true}}'`,
    `  cancel  kubectl patch rebalanceplan ${name} --type merge --patch '{"spec":{"cancelled":true}}'`,
    '',
  ].join('\n');
