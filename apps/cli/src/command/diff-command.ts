import type { NodePool } from '@karpenter/core';
import { nodePoolProblems } from '@karpenter/core/internal';
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

/** Whether the kind comes from a CustomResourceDefinition, as NodePools and the classes of all providers do. */
const isExtension = ({ apiVersion }: KubeObject): boolean => {
  const [group = ''] = apiVersion.split('/');
  return group.includes('.') && !group.endsWith('.k8s.io');
};

/** What the controller would refuse about the pools, a line each. */
const problemsOf = (manifests: readonly KubeObject[], { policy }: OpenedCluster): readonly string[] =>
  manifests
    .filter(isNodePool)
    .flatMap((pool) =>
      nodePoolProblems(pool, policy.labelCatalog).map(
        ({ field, value, problem }) => `NodePool ${pool.metadata.name}: ${field} "${value}" ${problem}`,
      ),
    );

/** `karpenter diff`. Reads the cluster twice: as it is, and with the manifests in the answers. */
export const runDiff = async (flags: DiffFlags, world: World): Promise<CommandExitCode> => {
  const manifests = await readManifests(flags.filename, world.readText);
  if (!manifests.some(isExtension))
    throw new CommandError(COMMAND_EXIT.usage, `${flags.filename.join(', ')}: there is no NodePool or class in it`);
  const before = await withCluster(flags, world, ({ snapshot }) => snapshot());
  return withCluster({ ...flags, manifests }, world, async (cluster) => {
    const problems = problemsOf(manifests, cluster);
    if (problems.length > 0) throw new CommandError(COMMAND_EXIT.negative, problems.join('\n'));
    const after = await cluster.snapshot();
    const answer = diffAnswer({ before, after, policy: cluster.policy, nowMs: world.clock.now() });
    writeAnswer(answer, { flags, world, text: (each) => diffText(each, world.out) });
    return answer.lostPods.length === 0 ? COMMAND_EXIT.ok : COMMAND_EXIT.negative;
  });
};
