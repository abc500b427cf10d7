import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { nodesText } from '../render/nodes-text.ts';
import { askNodes, type NodesFlags } from './ask-nodes.ts';
import { withCluster, writeAnswer } from './source-options.ts';
import { watchNodes } from './watch-nodes.ts';
import type { World } from './world.ts';

/** `karpenter nodes`. */
export const runNodes = async (flags: NodesFlags, world: World): Promise<CommandExitCode> => {
  if (flags.watch === true && flags.from !== undefined)
    throw new CommandError(COMMAND_EXIT.usage, '--watch needs a live cluster: --from reads files, which do not change');
  return withCluster(flags, world, async (cluster) => {
    if (flags.watch === true) return watchNodes(cluster, flags, world);
    writeAnswer(await askNodes(cluster, flags, world), { flags, world, text: (answer) => nodesText(answer, world.out) });
    return COMMAND_EXIT.ok;
  });
};
