import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../cluster/index.ts';
import { isOvertaken } from './command-validation.ts';
import { proposeCommand } from './command-proposal.ts';
import { aCluster, aNode, aRunningPod, NOW } from './testing/a-cluster.ts';
import { aContext } from './testing/a-context.ts';

const emptyNode = aNode('empty');
const busy = aNode('busy', { pods: [aRunningPod('db', 3)] });
const { command } = proposeCommand(aContext(aCluster([emptyNode, busy])));
const overtakenBy = (...nodes: NodeView[]): boolean => command !== undefined && isOvertaken(command, nodes, NOW + 1000);

describe('a command to delete an empty node', () => {
  test('is about that node', () => expect(command?.candidates.map(({ node }) => node.name)).toEqual(['empty']));

  test.each<[string, boolean, readonly NodeView[]]>([
    ['nothing happened', false, [emptyNode, busy]],
    ['another node went', false, [emptyNode]],
    ['the nomination of pods has run out', false, [{ ...emptyNode, nominatedUntilMs: NOW }]],
    ['the node went', true, [busy]],
    ['pods were nominated for the node', true, [{ ...emptyNode, nominatedUntilMs: NOW + 2000 }]],
    ['a pod came to the node', true, [{ ...emptyNode, pods: [aRunningPod('web')] }]],
    ['somebody else deletes it', true, [{ ...emptyNode, isMarkedForDeletion: true }]],
    ['somebody asked not to disrupt it', true, [{ ...emptyNode, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }]],
    ['another machine has its name', true, [{ ...emptyNode, ...(busy.claim === undefined ? {} : { claim: busy.claim }) }]],
  ])('%s: overtaken is %s', (_, expected, nodes) => {
    expect(overtakenBy(...nodes)).toBe(expected);
  });
});
