import { describe, expect, test } from '@jest/globals';
import type { Node, NodeClaim } from '@karpenter/core';
import { type AKSNodeClass, aksLabels, azureAnnotations } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { machineDriftOf, type DriftSource } from './drift.ts';

const IMAGE = '/CommunityGalleries/g/images/2204gen2containerd/versions/1';

const hashed = (hash: string, version = 'ts-v1') => ({
  [azureAnnotations.nodeClassHash]: hash,
  [azureAnnotations.nodeClassHashVersion]: version,
});

const aResolvedClass = (annotations: Record<string, string> = hashed('1')): AKSNodeClass => ({
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default', generation: 1, annotations },
  status: {
    kubernetesVersion: '1.33.4',
    images: [{ id: IMAGE, requirements: [] }],
    conditions: ['KubernetesVersionReady', 'ImagesReady'].map((type) => ({ type, status: 'True', observedGeneration: 1 })),
  },
});
const claimOf = (annotations: Record<string, string> = hashed('1'), imageID = IMAGE): NodeClaim => {
  const claim = aClaim('general-abcde');
  return { ...claim, metadata: { ...claim.metadata, annotations }, status: { imageID } };
};
const joined = (subnet: string): NodeClaim => claimOf({ ...hashed('1'), [azureAnnotations.subnet]: subnet });
const aKubeletNode = (kubeletVersion = 'v1.33.4', identity = 'me'): Node => ({
  metadata: { name: 'aks-general-abcde', labels: { [aksLabels.kubeletIdentityClientId]: identity } },
  status: { nodeInfo: { kubeletVersion } },
});
const options = { kubeletIdentityClientId: 'me', vnetSubnetId: '/subnets/own' };
const drift = (more: Partial<DriftSource> = {}) =>
  machineDriftOf({ claim: claimOf(), nodeClass: aResolvedClass(), node: aKubeletNode(), options, ...more });

describe('a machine', () => {
  test('that is what its class asks for has not drifted, registered or not', () => {
    expect(drift()).toBeUndefined();
    expect(drift({ node: undefined })).toBeUndefined();
  });

  test('in one of the subnets of its class has not drifted', () => {
    const [nodeClass, claim] = [aResolvedClass(), joined('/subnets/More')];
    expect(drift({ claim, nodeClass: { ...nodeClass, spec: { additionalSubnetIDs: ['/subnets/more'] } } })).toBeUndefined();
    expect(drift({ claim: joined('/subnets/own') })).toBeUndefined();
  });

  test('whose kubelet is another build of the same release has not drifted', () => {
    expect(drift({ node: aKubeletNode('v1.33.4-hotfix.20260901') })).toBeUndefined();
  });

  test.each<[string, Partial<DriftSource>, string]>([
    ['of another class hash', { claim: claimOf(hashed('2')) }, 'NodeClassDrift'],
    ['in a subnet that its class has no longer', { claim: joined('/subnets/gone') }, 'SubnetDrift'],
    ['of another Kubernetes version', { node: aKubeletNode('v1.32.9') }, 'K8sVersionDrift'],
    ['of another identity', { node: aKubeletNode('v1.33.4', 'other') }, 'KubeletIdentityDrift'],
    ['of an image that is no longer asked for', { claim: claimOf(hashed('1'), `${IMAGE}0`) }, 'ImageDrift'],
  ])('%s has drifted', (_name, more, reason) => {
    expect(drift(more)).toBe(reason);
  });

  test('with a hash made in another way, or none, has not', () => {
    expect(drift({ claim: claimOf(hashed('2', 'v3')) })).toBeUndefined();
    expect(drift({ claim: claimOf({}) })).toBeUndefined();
  });

  test('is not judged by what the class has not resolved since it was edited', () => {
    const edited = { ...aResolvedClass(), metadata: { ...aResolvedClass().metadata, generation: 2 } };
    expect(drift({ nodeClass: edited, node: aKubeletNode('v1.32.9'), claim: claimOf(hashed('1'), 'old') })).toBeUndefined();
  });
});
