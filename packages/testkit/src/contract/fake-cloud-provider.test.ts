import { anInstanceType, aNodePool, assortedInstanceTypes, catalogWithReservations } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { describeCloudProvider } from './describe-cloud-provider.ts';

const reserved = { zone: 'test-zone-1', capacityType: 'reserved', pricePerHour: 0, reservation: { id: 'r-1', remaining: 2 } };

describeCloudProvider(
  'fake',
  () => {
    const instanceTypes = [...assortedInstanceTypes(5), anInstanceType({ name: 'reserved-type', offerings: [reserved] })];
    const provider = new FakeCloudProvider({ instanceTypes, labelCatalog: catalogWithReservations });
    provider.missingNodeClasses.add('missing');
    const pool = aNodePool();
    const { template } = pool.spec;
    const nodeClassRef = { group: 'test.karpenter.dev', kind: 'TestNodeClass', name: 'default' };
    const nodePool = { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } } };
    const registrationHooks = [{ name: 'AddressAssigned', check: () => Promise.resolve({ kind: 'satisfied' as const }) }];
    return Promise.resolve({
      provider: Object.assign(provider, { registrationHooks }),
      nodePool,
      run: (call) => call(),
      cutOff: () => void (provider.isCutOff = true),
      launchCalls: () => provider.launches.length,
      outdate: () => {
        provider.drifted.set('general-old', 'ImageDrift');
        return Promise.resolve();
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
  {
    R26: 'it is never out of stock of what it sells, and fails only on request',
    R28: 'its machines end unannounced, when a test says so',
    R32: 'it checks no NodeClass',
    R33: 'its machines are there as soon as they are requested',
  },
);
