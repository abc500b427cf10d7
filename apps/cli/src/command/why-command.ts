import { namespaceOf } from '@karpenter/core/internal';
import { whyNode } from '../answer/why-node.ts';
import { whyPod } from '../answer/why-pod.ts';
import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import type { OpenedCluster } from '../read/opened-cluster.ts';
import { nodeText, podText } from '../render/why-text.ts';
import { type SourceFlags, withCluster, writeAnswer } from './source-options.ts';
import type { World } from './world.ts';

export interface WhyFlags extends SourceFlags {
  /** `pod/NAME`, `pod/NAMESPACE/NAME` or `node/NAME`. */
  readonly target: string;
  /** Left out: that of the context. */
  readonly namespace?: string;
}

const KINDS: Readonly<Record<string, 'pod' | 'node'>> = { pod: 'pod', pods: 'pod', po: 'pod', node: 'node', nodes: 'node', no: 'node' };

interface Target {
  readonly kind: 'pod' | 'node';
  readonly name: string;
  /** Of a pod; left out: that of the context. */
  readonly namespace: string | undefined;
}

const targetOf = ({ target, namespace }: WhyFlags): Target => {
  const [word = '', ...path] = target.split('/');
  const kind = KINDS[word.toLowerCase()];
  const [name = '', owner = namespace, ...rest] = path.reverse();
  const isWhole = name !== '' && owner !== '' && rest.length === 0;
  if (kind === undefined || !isWhole || (kind === 'node' && path.length > 1))
    throw new CommandError(COMMAND_EXIT.usage, `"${target}" is neither pod/NAME, pod/NAMESPACE/NAME nor node/NAME`);
  return { kind, name, namespace: owner };
};

const askPod = async (cluster: OpenedCluster, { name, namespace = cluster.namespace }: Target) => {
  const pod = cluster.pods().find((each) => each.metadata.name === name && namespaceOf(each) === namespace);
  if (pod === undefined)
    throw new CommandError(COMMAND_EXIT.unreadable, `there is no pod ${namespace}/${name}; --namespace names another namespace`);
  return whyPod(pod, await cluster.snapshot(), cluster.policy);
};

const askNode = async (cluster: OpenedCluster, name: string, { clock }: World) => {
  const snapshot = await cluster.snapshot();
  const node = snapshot.nodes.find((each) => each.name === name || each.claim?.metadata.name === name);
  if (node === undefined) throw new CommandError(COMMAND_EXIT.unreadable, `there is no node ${name}`);
  return whyNode(node, snapshot, { policy: cluster.policy, nowMs: clock.now() });
};

/** `karpenter why`. */
export const runWhy = async (flags: WhyFlags, world: World): Promise<CommandExitCode> => {
  const target = targetOf(flags);
  return withCluster(flags, world, async (cluster) => {
    if (target.kind === 'node') {
      writeAnswer(await askNode(cluster, target.name, world), { flags, world, text: (answer) => nodeText(answer, world.out) });
      return COMMAND_EXIT.ok;
    }
    const answer = await askPod(cluster, target);
    writeAnswer(answer, { flags, world, text: (each) => podText(each, world.out) });
    return answer.kind === 'no-place' ? COMMAND_EXIT.negative : COMMAND_EXIT.ok;
  });
};
