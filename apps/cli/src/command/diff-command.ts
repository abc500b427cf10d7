import type { ClusterSnapshot, NodePool } from '@karpenter/core';
import { nodePoolProblems, type NodeView } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { diffAnswer } from '../answer/diff-answer.ts';
import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { readManifests } from '../read/manifests.ts';
import type { OpenedCluster } from '../read/opened-cluster.ts';
import { diffText } from '../render/diff-text.ts';
import { type SourceFlags, withCluster, writeAnswer } from './source-options.ts';
import type { World } from './world.ts';

export interface DiffFlags extends SourceFlags {
  readonly filename: readonly string[];
}

const isNodePool = (object: KubeObject): object is KubeObject & NodePool => object.kind === 'NodePool';

const groupOf = ({ apiVersion }: KubeObject): string => apiVersion.split('/')[0] ?? '';

/** Whether the kind comes from a CustomResourceDefinition, as NodePools and the classes of all providers do. */
const isExtension = (object: KubeObject): boolean => groupOf(object).includes('.') && !groupOf(object).endsWith('.k8s.io');

/** What the controller would refuse about the pools, a line each. */
const problemsOf = (manifests: readonly KubeObject[], { policy }: OpenedCluster): readonly string[] =>
  manifests
    .filter(isNodePool)
    .flatMap((pool) =>
      nodePoolProblems(pool, policy.labelCatalog).map(
        ({ field, value, problem }) => `NodePool ${pool.metadata.name}: ${field} "${value}" ${problem}`,
      ),
    );

/** The cluster at one moment. */
interface Moment {
  readonly snapshot: ClusterSnapshot;
  readonly nodeClassOf: OpenedCluster['nodeClassOf'];
}

const momentOf = async ({ snapshot, nodeClassOf }: OpenedCluster): Promise<Moment> => ({ snapshot: await snapshot(), nodeClassOf });

/** Why a node drifts by a class that is changed in the manifests. */
const classDrift =
  ({ classCatalogOf }: OpenedCluster, before: Moment, after: Moment) =>
  ({ claim }: NodeView): string | undefined => {
    if (claim === undefined) return undefined;
    const { nodeClassRef } = claim.spec;
    const [was, is] = [before, after].map(({ nodeClassOf }) => nodeClassOf(nodeClassRef));
    return was && is && classCatalogOf(nodeClassRef)?.classDriftOf(claim, { before: was, after: is });
  };

/** Changed classes of providers without a catalog. */
const unknownClasses = (manifests: readonly KubeObject[], cluster: OpenedCluster): readonly string[] => {
  const refs = cluster.nodePools().map(({ spec }) => spec.template.spec.nodeClassRef);
  return manifests
    .filter((each) => refs.some(({ group, kind }) => each.kind === kind && groupOf(each) === group))
    .filter((each) => cluster.classCatalogOf({ kind: each.kind, group: groupOf(each) }) === undefined)
    .map(({ kind, metadata: { name } }) => `${kind} ${name}`);
};

/** `karpenter diff`. Reads the cluster twice: unchanged, and with the manifests in the answers. */
export const runDiff = async (flags: DiffFlags, world: World): Promise<CommandExitCode> => {
  const manifests = await readManifests(flags.filename, world.readText);
  if (!manifests.some(isExtension))
    throw new CommandError(COMMAND_EXIT.usage, `${flags.filename.join(', ')}: there is no NodePool or class in it`);
  const before = await withCluster(flags, world, momentOf);
  return withCluster({ ...flags, manifests }, world, async (cluster) => {
    const problems = problemsOf(manifests, cluster);
    if (problems.length > 0) throw new CommandError(COMMAND_EXIT.negative, problems.join('\n'));
    const after = await momentOf(cluster);
    const classDriftOf = classDrift(cluster, before, after);
    const snapshots = { before: before.snapshot, after: after.snapshot };
    const answer = diffAnswer({ ...snapshots, policy: cluster.policy, nowMs: world.clock.now(), classDriftOf });
    const unknown = unknownClasses(manifests, cluster);
    writeAnswer({ ...answer, driftUnknownFor: unknown }, { flags, world, text: (each) => diffText(each, world.out) });
    return answer.lostPods.length === 0 && unknown.length === 0 ? COMMAND_EXIT.ok : COMMAND_EXIT.negative;
  });
};
