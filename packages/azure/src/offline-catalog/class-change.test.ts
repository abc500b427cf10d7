import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '@karpenter/core';
import { type AKSNodeClass, type AKSNodeClassSpec, azureAnnotations } from '../apis/index.ts';
import { type ClassApi, startClassApi } from '../testing/class-api.ts';
import { classChangeDrift, storedNodeClass } from './class-change.ts';

const aStoredClass = (spec?: AKSNodeClassSpec): AKSNodeClass =>
  storedNodeClass({
    ...{ apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name: 'default' } },
    ...(spec && { spec }),
  });

const aClaimOf = ({ metadata }: AKSNodeClass, annotations: Readonly<Record<string, string>> = {}): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'general-abcde', annotations: { ...metadata.annotations, ...annotations } },
  spec: { requirements: [], nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' } },
});

describe('the stored form of a manifest', () => {
  let api: ClassApi;
  beforeAll(async () => {
    api = await startClassApi();
  });
  afterAll(() => api.close());

  test.each<[string, AKSNodeClassSpec]>([
    ['without settings', {}],
    ['with some', { osDiskSizeGB: 64, tags: { team: 'web' } }],
    ['with groups of settings that have defaults', { kubelet: { podPidsLimit: 100 }, gpu: {} }],
  ])('%s › is the spec that the API server keeps', (_case, spec) => {
    expect(aStoredClass(spec).spec).toEqual(api.admit(spec).spec);
  });

  test('without a spec › has none', () => expect(aStoredClass().spec).toBeUndefined());
});

describe('a machine whose class changes', () => {
  const before = aStoredClass({ imageFamily: 'Ubuntu2204', additionalSubnetIDs: ['/subnets/More'] });
  const inMore = { [azureAnnotations.subnet]: '/subnets/more' };

  test.each<[string, AKSNodeClassSpec, string | undefined]>([
    ['to another image family › drifts', { ...before.spec, imageFamily: 'AzureLinux' }, 'NodeClassDrift'],
    ['to the value that was a default › stays', { ...before.spec, osDiskSizeGB: 128 }, undefined],
    ['to other tags › stays: they change in place', { ...before.spec, tags: { team: 'web' } }, undefined],
    ['and loses its subnet › drifts', { imageFamily: 'Ubuntu2204' }, 'SubnetDrift'],
  ])('%s', (_case, spec, reason) => {
    expect(classChangeDrift(aClaimOf(before, inMore), { before, after: aStoredClass(spec) })).toBe(reason);
  });

  test('and which had drifted before › does not count as drifted by the change', () => {
    const claim = aClaimOf(aStoredClass({ imageFamily: 'Ubuntu2404' }));
    expect(classChangeDrift(claim, { before, after: aStoredClass({ imageFamily: 'AzureLinux' }) })).toBeUndefined();
  });
});
