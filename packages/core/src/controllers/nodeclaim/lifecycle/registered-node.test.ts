import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isTaintMissing, registeredNode } from './registration.ts';

const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name: 'a',
    uid: 'u',
    labels: { team: 'claim' },
    annotations: { note: 'x', 'karpenter.sh/planned-pods': 'p1', 'karpenter.sh/replaces': '{}' },
  },
  spec: {
    requirements: [],
    nodeClassRef: { group: 'g', kind: 'K', name: 'n' },
    taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'agent', effect: 'NoSchedule' }],
  },
};
const node: Node = {
  metadata: { name: 'n', labels: { team: 'node', own: 'yes' }, finalizers: ['other/finalizer'] },
  spec: { taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] },
};
const keys = (of: Node, by: NodeClaim = claim): readonly string[] => registeredNode(of, by, []).spec.taints.map(({ key }) => key);

describe('a node that its claim has recognised', () => {
  test('carries what the claim says, the claim winning, and nothing of its own is lost', () => {
    expect(registeredNode(node, claim, []).metadata).toEqual({
      finalizers: ['other/finalizer', 'karpenter.sh/termination'],
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'a', uid: 'u', blockOwnerDeletion: true }],
      labels: { team: 'claim', own: 'yes', 'karpenter.sh/registered': 'true' },
      annotations: { note: 'x' },
    });
  });

  test('has the claim’s taints instead of the one for unknown machines', () => {
    expect(keys(node)).toEqual(['dedicated', 'agent']);
  });

  test('keeps its own taints when it says so', () => {
    expect(keys({ ...node, metadata: { ...node.metadata, labels: { 'karpenter.sh/do-not-sync-taints': 'true' } } })).toEqual([]);
  });

  test('does not get a startup taint back that was taken off after the first time', () => {
    const first = registeredNode(node, claim, []);
    const later: Node = { metadata: { ...node.metadata, ...first.metadata }, spec: { taints: [] } };
    expect(keys(later)).toEqual([]);
  });

  test('came up open when it never had the taint for unknown machines', () => {
    expect(isTaintMissing(node)).toBe(false);
    expect(isTaintMissing({ ...node, spec: {} })).toBe(true);
    expect(isTaintMissing({ metadata: { name: 'n', labels: { 'karpenter.sh/registered': 'true' } } })).toBe(false);
  });
});
