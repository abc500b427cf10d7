import { describe, expect, test } from '@jest/globals';
import { describeInstanceTypes } from './describe-instance-types.ts';
import { describeMachines } from './describe-machines.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/**
 * The contract between core and a cloud, as tests: what `CloudProvider` promises in its comments, and core relies on. Every provider runs
 * all of it.
 */
export const describeCloudProvider = (name: string, start: () => Promise<ProviderUnderTest>): void => {
  describe(`the provider "${name}"`, () => {
    test('names itself and at least one kind of NodeClass', async () => {
      await using subject = await start();
      expect(subject.provider.name).toMatch(/^[a-z][a-z0-9-]*$/);
      const { group, kind } = subject.nodePool.spec.template.spec.nodeClassRef;
      expect(subject.provider.supportedNodeClasses).toContainEqual(expect.objectContaining({ group, kind }));
    });

    describe('its instance types', () => describeInstanceTypes(start));
    describe('its machines', () => describeMachines(start));
  });
};
