import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog } from './label-catalog.ts';
import { TERMINATION_FINALIZER, annotations, capacityTypes, disruptedTaint, labels, unregisteredTaint } from './names.ts';
import { nodeClaimConditions } from './node-claim.ts';

/**
 * What clusters, dashboards and policies hold by heart. A change here breaks them: the original's strings, each written out.
 * Differs: `requested-dra-drivers` and the annotations of capacity buffers are missing, as are devices and buffers themselves.
 */
describe('names that others know', () => {
  test.each<[string, string, string]>([
    ['label', labels.nodePool, 'karpenter.sh/nodepool'],
    ['label', labels.initialized, 'karpenter.sh/initialized'],
    ['label', labels.registered, 'karpenter.sh/registered'],
    ['label', labels.doNotSyncTaints, 'karpenter.sh/do-not-sync-taints'],
    ['label', labels.capacityType, 'karpenter.sh/capacity-type'],
    ['label', labels.excludeBalancers, 'node.kubernetes.io/exclude-from-external-load-balancers'],
    ['capacity type', capacityTypes.spot, 'spot'],
    ['capacity type', capacityTypes.onDemand, 'on-demand'],
    ['capacity type', capacityTypes.reserved, 'reserved'],
    ['annotation', annotations.doNotDisrupt, 'karpenter.sh/do-not-disrupt'],
    ['annotation', annotations.nodePoolHash, 'karpenter.sh/nodepool-hash'],
    ['annotation', annotations.nodePoolHashVersion, 'karpenter.sh/nodepool-hash-version'],
    ['annotation', annotations.terminationTimestamp, 'karpenter.sh/nodeclaim-termination-timestamp'],
    ['annotation', annotations.minValuesRelaxed, 'karpenter.sh/nodeclaim-min-values-relaxed'],
    ['annotation', annotations.priceOverlayApplied, 'karpenter.sh/price-overlay-applied'],
    ['annotation', annotations.capacityOverlayApplied, 'karpenter.sh/capacity-overlay-applied'],
    ['finalizer', TERMINATION_FINALIZER, 'karpenter.sh/termination'],
  ])('%s %s', (...[, ours, theirs]) => {
    expect(ours).toBe(theirs);
  });

  test('taints have a key and an effect, and no value', () => {
    expect(disruptedTaint).toEqual({ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' });
    expect(unregisteredTaint).toEqual({ key: 'karpenter.sh/unregistered', effect: 'NoExecute' });
  });

  test('a claim’s conditions', () => {
    expect(new Set(Object.values(nodeClaimConditions))).toEqual(
      new Set([
        ...['Launched', 'Registered', 'Initialized', 'Consolidatable', 'Drifted', 'Drained', 'VolumesDetached', 'InstanceTerminating'],
        ...['ConsistentStateFound', 'DisruptionReason', 'Ready'],
      ]),
    );
  });

  test('labels that every node has', () => {
    expect(defaultLabelCatalog.wellKnown).toEqual(
      new Set([
        ...['karpenter.sh/nodepool', 'karpenter.sh/capacity-type', 'topology.kubernetes.io/zone', 'topology.kubernetes.io/region'],
        ...['node.kubernetes.io/instance-type', 'kubernetes.io/arch', 'kubernetes.io/os', 'node.kubernetes.io/windows-build'],
      ]),
    );
  });

  test('labels by another name', () => {
    expect(Object.fromEntries(defaultLabelCatalog.normalizedKeys)).toEqual({
      'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
      'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
      'beta.kubernetes.io/arch': 'kubernetes.io/arch',
      'beta.kubernetes.io/os': 'kubernetes.io/os',
      'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
    });
  });
});
