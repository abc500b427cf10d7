import type { NodeView } from '../../../cluster/index.ts';
import { aBareNode } from '../../../cluster/testing/a-bare-cluster.ts';
import type { Command } from '../../../disruption/index.ts';
import { aNodeClaim } from '../../../testing/objects.ts';
import type { CommandRun } from '../command-runs.ts';

/** The node `node-<name>` of the claim of this name. */
export const viewOf = (name: string): NodeView => aBareNode({ name: `node-${name}`, claim: aNodeClaim(name) });

const validating: CommandRun['stage'] = { kind: 'validating', untilMs: 15_000, command: {} as Command };

/** A command of that id for the node of the claim of the same name; it is being validated, unless another stage is given. */
export const aRun = (name: string, stage: CommandRun['stage'] = validating): CommandRun => ({
  startedMs: 0,
  stage,
  summary: {
    ...{ id: name, method: 'single-node', reason: 'Underutilized', decision: 'delete' },
    ...{ candidates: [viewOf(name)], replacements: [], savingsPerHour: 1 },
  },
});
