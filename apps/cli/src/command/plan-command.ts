import { capacityTypes, labels, type NodePool } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { type PlanAnswer, planAnswer, requiring } from '../answer/plan-answer.ts';
import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { readManifests } from '../read/manifests.ts';
import type { OpenedCluster } from '../read/opened-cluster.ts';
import { workloadPods } from '../read/workload-pods.ts';
import { planText } from '../render/plan-text.ts';
import { type ClusterChoice, isOnCluster, type SourceFlags, withCluster, writeAnswer } from './source-options.ts';
import type { World } from './world.ts';

export interface PlanFlags extends SourceFlags {
  readonly filename: readonly string[];
  readonly capacity?: string;
  readonly arch?: string;
  readonly pool?: string;
}

/** The pool of a plan without a cluster, where the files have none: any Linux machine of the region. */
const anyMachine: NodePool & KubeObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        requirements: [
          { key: labels.os, operator: 'In', values: ['linux'] },
          { key: labels.arch, operator: 'In', values: ['amd64'] },
          { key: labels.capacityType, operator: 'In', values: [capacityTypes.onDemand] },
        ],
        nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
        expireAfter: 'Never',
      },
    },
  },
};

/** The cluster that the flags name, or an empty one with the pools of the files. */
const choiceOf = (flags: PlanFlags, rest: readonly KubeObject[]): ClusterChoice => {
  if (isOnCluster(flags)) return { ...flags, manifests: rest };
  return { ...flags, objects: rest.some(({ kind }) => kind === 'NodePool') ? rest : [...rest, anyMachine] };
};

const poolsOf = async (cluster: OpenedCluster, { pool, capacity, arch }: PlanFlags) => {
  const snapshot = await cluster.snapshot();
  const chosen = pool === undefined ? snapshot.nodePools : snapshot.nodePools.filter(({ nodePool }) => nodePool.metadata.name === pool);
  if (chosen.length === 0)
    throw new CommandError(COMMAND_EXIT.usage, pool === undefined ? 'there is no NodePool' : `there is no NodePool ${pool}`);
  const ofCapacity = capacity === undefined ? chosen : requiring(chosen, labels.capacityType, capacity);
  return { ...snapshot, nodePools: arch === undefined ? ofCapacity : requiring(ofCapacity, labels.arch, arch) };
};

/** What to say of machines that stand in no zone; empty where all stand in one. */
const zonesText = ({ plan }: PlanAnswer, cluster: OpenedCluster): string => {
  const outside = new Set(plan.nodes.flatMap(({ nodePool, isZonal }) => (isZonal ? [] : [nodePool])));
  return cluster
    .nodePools()
    .filter(({ metadata }) => outside.has(metadata.name))
    .map((nodePool) => {
      const { zonalRequirement = '' } = cluster.catalogOf(nodePool) ?? {};
      return `Pods that spread over zones count "no zone" as one more. To leave it out, let NodePool ${nodePool.metadata.name} require ${zonalRequirement}.\n`;
    })
    .join('');
};

/** `karpenter plan`. */
export const runPlan = async (flags: PlanFlags, world: World): Promise<CommandExitCode> => {
  const manifests = await readManifests(flags.filename, world.readText);
  const { pods, rest } = workloadPods(manifests);
  if (pods.length === 0) {
    const why = rest.length < manifests.length ? 'its workloads have no replicas' : 'there is nothing in it that makes pods';
    throw new CommandError(COMMAND_EXIT.usage, `${flags.filename.join(', ')}: ${why}`);
  }
  return withCluster(choiceOf(flags, rest), world, async (cluster) => {
    const snapshot = await poolsOf(cluster, flags);
    const [first] = snapshot.nodePools;
    const answer = planAnswer({ snapshot, pods, policy: cluster.policy });
    const catalog = (first && cluster.catalogTitleOf(first.nodePool)) ?? 'no catalog';
    const text = (each: PlanAnswer): string => `${planText(each, world.out)}\n${zonesText(each, cluster)}Prices: ${catalog}.\n`;
    writeAnswer({ ...answer, catalog }, { flags, world, text });
    return answer.plan.unplaced.length === 0 ? COMMAND_EXIT.ok : COMMAND_EXIT.negative;
  });
};
