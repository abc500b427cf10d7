import { EXIT, type ExitCode } from '../exit-code.ts';
import { nodesText } from '../render/nodes-text.ts';
import { askNodes, type NodesFlags } from './ask-nodes.ts';
import { withCluster, writeAnswer } from './source-options.ts';
import { watchNodes } from './watch-nodes.ts';
import type { World } from './world.ts';

/** `karpenter nodes`. */
export const runNodes = (flags: NodesFlags, world: World): Promise<ExitCode> =>
  withCluster(flags, world, async (cluster) => {
    if (flags.watch === true) return watchNodes(cluster, flags, world);
    writeAnswer(await askNodes(cluster, flags, world), { flags, world, text: (answer) => nodesText(answer, world.out) });
    return EXIT.ok;
  });
