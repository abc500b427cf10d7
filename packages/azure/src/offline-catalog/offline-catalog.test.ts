import { describe, expect, test } from '@jest/globals';
import { capacityTypes, type InstanceType, labels } from '@karpenter/core';
import { aksLabels, azureLabels } from '../apis/index.ts';
import { aPool, azureWorld } from '../testing/azure-world.ts';
import { ESTIMATED_SPOT_SHARE, offlineCatalog, offlineRegions } from './offline-catalog.ts';

const known = (location: string) => {
  const catalog = offlineCatalog(location);
  if (catalog === undefined) throw new Error(`no catalog of ${location}`);
  return catalog;
};

/** Zones of a few sizes were recorded elsewhere; ultra disks are stated for each zone. */
const NOT_COMPARED: readonly string[] = [aksLabels.cluster, azureLabels.skuUltraSSD, azureLabels.placementScope, labels.zone];

/** What a type is, as text: without prices and what only a cluster knows. */
const shapeOf = ({ name, capacity, requirements, offerings, volumeLimits }: InstanceType): string => {
  const kept = [...requirements.values()].filter(({ key }) => !NOT_COMPARED.includes(key));
  const values = kept.map(({ key, values }) => [key, values.kind === 'in' ? [...values.values] : values.kind]);
  const regional = offerings.filter(({ zone }) => zone === '0').map(({ capacityType, isAvailable }) => [capacityType, isAvailable]);
  return JSON.stringify([name, capacity, volumeLimits, values, regional]);
};

describe('the offline catalog', () => {
  test('has every region of the price table, and no other', () => {
    expect(offlineRegions).toHaveLength(57);
    expect(offlineCatalog('atlantis')).toBeUndefined();
    expect(known('westus').zones).toEqual([]);
    expect(known('eastus').zones).toEqual(['1', '2', '3']);
  });

  test('counts the vCPUs of a constrained size that a node has', () => {
    const { sizes } = known('eastus');
    const of = (name: string) => sizes.find((size) => size.name === name);
    expect(of('Standard_HB120-16rs_v3')).toMatchObject({ vCpus: 16, memoryGiB: 456, rejection: 'constrained-vcpus' });
    expect(of('Standard_HB120rs_v3')).toMatchObject({ vCpus: 120, memoryGiB: 456, rejection: undefined });
    expect(of('Standard_NC24ads_A100_v4')).toMatchObject({ gpus: 1, gpuManufacturer: 'nvidia', pricePerHour: 3.673 });
  });

  test('dates prices on demand and calls those of spot estimates', () => {
    const { pricesAsOf, sizes, instanceTypes } = known('eastus');
    expect(pricesAsOf).toBe('2026-06-18');
    const size = sizes.find(({ name }) => name === 'Standard_D4s_v5');
    expect(size?.estimatedSpotPricePerHour).toBeCloseTo((size?.pricePerHour ?? 0) * ESTIMATED_SPOT_SHARE, 5);
    const type = instanceTypes().find(({ name }) => name === 'Standard_D4s_v5');
    const spot = type?.offerings.find(({ capacityType }) => capacityType === capacityTypes.spot);
    expect(spot?.pricePerHour).toBe(size?.estimatedSpotPricePerHour);
  });

  test('marks sizes that Azure retires with the day, and offers those that it has retired last', () => {
    const { sizes, endDatesAsOf, instanceTypes } = known('eastus');
    const endOf = (name: string) => sizes.find((size) => size.name === name)?.endsOn;
    expect([endOf('Standard_D4s_v3'), endOf('Standard_D4s_v5')]).toEqual(['2029-11-15', undefined]);
    const retired = new Set(sizes.filter(({ endsOn = '9999' }) => endsOn <= endDatesAsOf).map(({ name }) => name));
    expect(retired.size).toBeGreaterThan(0);
    const priceOf = ({ offerings }: InstanceType): number => Math.min(...offerings.map(({ pricePerHour }) => pricePerHour));
    const [last, others] = [true, false].map((isRetired) => instanceTypes().filter(({ name }) => retired.has(name) === isRetired));
    const dearestSize = Math.max(...sizes.map(({ pricePerHour }) => pricePerHour));
    expect(last?.filter((type) => priceOf(type) <= dearestSize)).toEqual([]);
    expect(others?.length).toBeGreaterThan(800);
  });

  test('when a class restricts sizes › the types are fewer', () => {
    const { instanceTypes } = known('eastus');
    const trusted = instanceTypes({ spec: { security: { trustedLaunch: { vtpm: true, secureBoot: true } } } });
    expect(trusted.length).toBeLessThan(instanceTypes().length);
    expect(trusted.every(({ requirements }) => requirements.get(labels.arch)?.values.kind === 'in')).toBe(true);
  });

  test('offers what the provider offers', async () => {
    await using world = await azureWorld({ location: 'eastus', sizes: 'all' });
    const { provider } = await world.provider();
    const live = await provider.getInstanceTypes(aPool, { signal: new AbortController().signal });
    const offline = known('eastus').instanceTypes({ spec: { osDiskSizeGB: 128, maxPods: 250, imageFamily: 'Ubuntu2204' } });
    expect(live.length).toBeGreaterThan(800);
    expect(offline.map(shapeOf)).toEqual(live.map(shapeOf));
  });
});
