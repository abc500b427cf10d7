import { describe, expect, test } from '@jest/globals';
import { allocatableOf, type InstanceType, labels } from '@karpenter/core';
import recorded from '../../data/resource-skus.southcentralus.json' with { type: 'json' };
import { aksLabels, azureLabels, azureLabelCatalog, type AKSNodeClassSpec } from '../apis/index.ts';
import { type CommittedPrice, priceBookOf, staticPricesOf } from '../pricing/index.ts';
import { familyQuotaOf } from '../quota/index.ts';
import { ReservationBook } from '../reservations/index.ts';
import { parseVmSize, type ResourceSku, skuOf } from '../skus/index.ts';
import { capacityOf } from './capacity.ts';
import { ephemeralPlacementOf } from './ephemeral-os-disk.ts';
import { instanceTypeCatalog } from './instance-type-catalog.ts';
import { singleValues } from './label-values.ts';
import { facetsOf } from './node-class-facets.ts';
import { unavailableOfferings } from './unavailable-offerings.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const location = 'southcentralus';

const aCatalog = (committedPrices: readonly CommittedPrice[] = [], spotMaxPricePerHour?: number) => {
  const clock = { ms: 0, now: () => clock.ms };
  const unavailable = unavailableOfferings(clock);
  const reservations = new ReservationBook({ subscriptionId: 's', nodeResourceGroup: 'nodes' }, clock);
  const catalog = instanceTypeCatalog({
    settings: { location, clusterLabel: 'MC_rg_main', vmMemoryOverheadPercent: 0.075 },
    prices: staticPricesOf(location),
    unavailable,
    reservations,
    committedPrices,
    spotMaxPricePerHour,
    clock,
  });
  catalog.setSkus(recorded);
  const typesOf = (spec: AKSNodeClassSpec = {}): readonly InstanceType[] => catalog.typesFor(facetsOf({ spec }, 250));
  const typeOf = (name: string, spec: AKSNodeClassSpec = {}): InstanceType => {
    const found = typesOf(spec).find((type) => type.name === `Standard_${name}`);
    if (found === undefined) throw new Error(`no type ${name}`);
    return found;
  };
  return { catalog, unavailable, reservations, clock, typesOf, typeOf };
};

const shortNames = (types: readonly InstanceType[]): readonly string[] => types.map((type) => type.name.replace('Standard_', ''));
const valuesOf = (type: InstanceType, key: string): readonly string[] => {
  const values = type.requirements.get(key)?.values;
  return values?.kind === 'in' ? [...values.values].sort() : ['?'];
};

describe('which sizes make nodes', () => {
  test('tiny, constrained and confidential sizes do not', () => {
    const names = shortNames(aCatalog().typesOf());
    for (const name of ['A0', 'B1s', 'M8-2ms', 'DC8s_v3']) expect(names).not.toContain(name);
    expect(names).toContain('D2s_v3');
    expect(names).toHaveLength(16);
  });

  test('sizes with SEV-SNP are for classes of confidential VMs, and these get no others', () => {
    const { catalog, typesOf } = aCatalog();
    const sizeLike = (size: string, type: string): ResourceSku => {
      const [base] = (recorded as readonly ResourceSku[]).filter(({ name }) => name === 'Standard_D4s_v3');
      const capabilities = [...(base?.capabilities ?? []), { name: 'ConfidentialComputingType', value: type }];
      return { ...base, name: `Standard_${size}`, size, capabilities };
    };
    catalog.setSkus([...recorded, sizeLike('DC4as_v5', 'SNP'), sizeLike('DC4es_v6', 'TDX')]);
    expect(shortNames(typesOf({ security: { confidentialVM: {} } }))).toEqual(['DC4as_v5']);
    expect(shortNames(typesOf())).not.toContain('DC4as_v5');
    expect(shortNames(typesOf())).toHaveLength(16);
  });

  test('a class narrows them', () => {
    const { typesOf } = aCatalog();
    expect(shortNames(typesOf({ artifactStreaming: { enabled: true } }))).not.toContain('D16plds_v5');
    expect(shortNames(typesOf({ security: { trustedLaunch: { vtpm: true } } }))).not.toContain('D2_v2');
    expect(shortNames(typesOf({ security: { trustedLaunch: { vtpm: true } } }))).not.toContain('D16plds_v5');
  });
});

test('instance types of an earlier spec of a class are dropped; those in use stay', () => {
  const { typesOf, clock } = aCatalog();
  const minute = 60_000;
  const [used, edited] = [typesOf(), typesOf({ osDiskSizeGB: 64 })];
  clock.ms += 10 * minute;
  typesOf();
  typesOf({ osDiskSizeGB: 100 });
  expect(typesOf({ osDiskSizeGB: 64 })).toBe(edited);
  clock.ms += 10 * minute;
  typesOf();
  clock.ms += 10 * minute;
  typesOf({ osDiskSizeGB: 200 });
  expect(typesOf()).toBe(used);
  expect(typesOf({ osDiskSizeGB: 64 })[0]).not.toBe(edited[0]);
});

describe('what a node has', () => {
  test('Standard_D2s_v3: 8Gi × 0.925 − 1843Mi − 750Mi of memory', () => {
    const type = aCatalog().typeOf('D2s_v3');
    expect(type.capacity).toEqual({
      cpu: 2000,
      memory: 8 * GIB - Math.ceil(8 * GIB * 0.075),
      'ephemeral-storage': 128e9,
      pods: 250,
      'nvidia.com/gpu': 0,
      'amd.com/gpu': 0,
    });
    expect(allocatableOf(type)).toMatchObject({ cpu: 1900, memory: Math.floor(8 * GIB * 0.925) - (1843 + 750) * MIB });
  });

  test('218.75 GiB count as 218', () => {
    const record = recorded.find(({ name }) => name === 'Standard_M8-2ms');
    const sku = record && skuOf(record, location);
    const settings = { vmMemoryOverheadPercent: 0.075, osDiskSizeGB: 128, maxPods: 250 };
    expect(sku && capacityOf(sku, settings)['memory']).toBe(218 * GIB - Math.ceil(218 * GIB * 0.075));
  });

  describe('the memory that nodes of the size have reported', () => {
    const size = 'Standard_D2s_v3';
    const facets = facetsOf({ spec: {} }, 250);
    const learning = (...reports: readonly (readonly [nodeName: string, gib: number])[]) => {
      const { catalog, typeOf } = aCatalog();
      const before = typeOf('D2s_v3');
      for (const [nodeName, gib] of reports) catalog.learnMemory(size, facets, { nodeName, bytes: gib * GIB });
      return { before, typeOf };
    };

    test('counts once there was one, the least of it', () => {
      const { typeOf } = learning(['a', 7.75], ['b', 7.7], ['c', 7.8]);
      expect(typeOf('D2s_v3').capacity).toMatchObject({ memory: 7.7 * GIB });
      const trusted = typeOf('D2s_v3', { security: { trustedLaunch: { vtpm: true } } });
      expect(trusted.capacity).toMatchObject({ memory: 8 * GIB - Math.ceil(8 * GIB * 0.075) });
    });

    test('is left out where it cannot be: more than the size has, or a tenth less', () => {
      const { before, typeOf } = learning(['a', 0], ['b', 1], ['c', 6.9], ['d', 9]);
      expect(typeOf('D2s_v3')).toBe(before);
    });

    test('does not count where one node alone says much less than the others, however often', () => {
      const { typeOf } = learning(['a', 7.75], ['lying', 7.1], ['b', 7.7], ['lying', 7], ['lying', 6.96]);
      expect(typeOf('D2s_v3').capacity).toMatchObject({ memory: 7.7 * GIB });
    });

    test('counts where a second node says so too: machines of the size have less since', () => {
      const { typeOf } = learning(['a', 7.75], ['b', 7.7], ['c', 7.1], ['d', 7.11]);
      expect(typeOf('D2s_v3').capacity).toMatchObject({ memory: 7.1 * GIB });
    });

    test('is forgotten once sixteen others have come', () => {
      const later = Array.from({ length: 16 }, (_, index) => [`later-${index}`, 7.8] as const);
      const { typeOf } = learning(['a', 7.1], ['b', 7.1], ...later);
      expect(typeOf('D2s_v3').capacity).toMatchObject({ memory: 7.8 * GIB });
    });

    test('leaves other sizes the same objects', () => {
      const { catalog, typeOf } = aCatalog();
      const other = typeOf('D4s_v3');
      catalog.learnMemory(size, facets, { nodeName: 'a', bytes: 7.75 * GIB });
      expect(typeOf('D4s_v3')).toBe(other);
    });
  });

  test('the class sets pods and disk', () => {
    expect(aCatalog().typeOf('D2s_v3', { maxPods: 30, osDiskSizeGB: 64 }).capacity).toMatchObject({ pods: 30, 'ephemeral-storage': 64e9 });
  });

  test('GPUs count under their maker', () => {
    expect(aCatalog().typeOf('NC24ads_A100_v4').capacity).toMatchObject({ 'nvidia.com/gpu': 1, 'amd.com/gpu': 0 });
  });

  test.each([
    ['D128ds_v6', 7559, 'NvmeDisk'],
    ['D16plds_v5', 429, 'CacheDisk'],
    ['B20ms', 32, 'CacheDisk'],
    ['NC24ads_A100_v4', 274, 'CacheDisk'],
    ['D64s_v3', 1717, 'CacheDisk'],
  ])('%s holds an OS disk of %d GB on its %s', (name, maxSizeGB, placement) => {
    const sku = aCatalog().catalog.skus.get(`Standard_${name}`);
    expect(sku && ephemeralPlacementOf(sku)).toEqual({ placement, maxSizeGB });
  });

  test.each(['D2as_v6', 'D2_v2'])('%s holds none', (name) => {
    const sku = aCatalog().catalog.skus.get(`Standard_${name}`);
    expect(sku && ephemeralPlacementOf(sku)).toBeUndefined();
  });
});

describe('what labels a node gets', () => {
  test('of the size', () => {
    expect(singleValues(aCatalog().typeOf('NC24ads_A100_v4').requirements)).toMatchObject({
      [labels.instanceType]: 'Standard_NC24ads_A100_v4',
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
      [labels.region]: location,
      [azureLabels.skuFamily]: 'N',
      [azureLabels.skuSeries]: 'NCads_v4',
      [azureLabels.skuVersion]: '4',
      [azureLabels.skuCpu]: '24',
      [azureLabels.skuMemory]: '225280',
      [azureLabels.skuGpuName]: 'A100',
      [azureLabels.skuGpuManufacturer]: 'nvidia',
      [azureLabels.skuGpuCount]: '1',
      [azureLabels.skuEphemeralOSMaxSize]: '274',
      [aksLabels.cluster]: 'MC_rg_main',
      [aksLabels.osSku]: 'Ubuntu',
    });
  });

  test('every well-known label is decided, absent ones too; the pool name is left to the claim', () => {
    const type = aCatalog().typeOf('D2s_v3');
    const undecided = [...azureLabelCatalog.wellKnown].filter((key) => !type.requirements.has(key));
    expect(undecided).toEqual([labels.nodePool]);
    expect(type.requirements.get(azureLabels.skuGpuName)).toMatchObject({ mayBeAbsent: true });
  });
});

describe('how a node can be bought', () => {
  test('in every zone and regionally, on demand and spot, at the price of the region', () => {
    const { offerings } = aCatalog().typeOf('D2as_v6');
    expect(offerings.map(({ zone, capacityType, pricePerHour }) => `${zone} ${capacityType} ${pricePerHour}`)).toEqual([
      'southcentralus-2 on-demand 0.109',
      'southcentralus-2 spot 0.109',
      'southcentralus-3 on-demand 0.109',
      'southcentralus-3 spot 0.109',
      '0 on-demand 0.109',
      '0 spot 0.109',
    ]);
  });

  test('a size that is never spot has spot offerings that are not available', () => {
    const { offerings } = aCatalog().typeOf('B20ms');
    expect(offerings.filter((offering) => offering.capacityType === 'spot').every((offering) => !offering.isAvailable)).toBe(true);
  });

  test('a size without a price costs 999', () => {
    const { catalog, typeOf } = aCatalog();
    catalog.setPrices({ onDemand: new Map(), spot: new Map() });
    expect(typeOf('D2s_v3').offerings[0]?.pricePerHour).toBe(999);
  });

  test('a size that came out after this version costs 999 too, unless somebody states its price', () => {
    const name = 'Standard_D2s_v9';
    const newer = recorded.filter((each) => each.name === 'Standard_D2s_v3').map((each) => ({ ...each, name, size: 'D2s_v9' }));
    const priceOf = (...stated: readonly CommittedPrice[]): number | undefined => {
      const { catalog, typeOf } = aCatalog(stated);
      catalog.setSkus(newer);
      catalog.setPrices({ onDemand: new Map([[name, 0.01]]), spot: new Map([[name, 0.001]]) });
      return typeOf('D2s_v9').offerings[0]?.pricePerHour;
    };
    expect(priceOf()).toBe(999);
    expect(priceOf({ sizes: name, price: { kind: 'hourly', usd: 0.01 } })).toBe(0.01);
  });

  test('a size whose spot price is above the maximum is there on demand only', () => {
    const { catalog, typeOf } = aCatalog([], 0.05);
    const prices = (spot: number) => ({ onDemand: new Map([['Standard_D2s_v3', 0.1]]), spot: new Map([['Standard_D2s_v3', spot]]) });
    catalog.setPrices(prices(0.05));
    expect(valuesOf(typeOf('D2s_v3'), labels.capacityType)).toEqual(['on-demand', 'spot']);
    catalog.setPrices(prices(0.051));
    expect(valuesOf(typeOf('D2s_v3'), labels.capacityType)).toEqual(['on-demand']);
    expect(valuesOf(typeOf('D4s_v3'), labels.capacityType)).toEqual(['on-demand']);
  });

  test('without quota it is there on spot only', () => {
    const { catalog, typeOf } = aCatalog();
    catalog.setQuota(familyQuotaOf([{ name: { value: 'standardDSv3Family' }, currentValue: 10, limit: 10 }]));
    expect(valuesOf(typeOf('D2s_v3'), labels.capacityType)).toEqual(['spot']);
  });

  test('a blocked zone leaves the others, and comes back by itself', () => {
    const { catalog, unavailable, clock, typeOf } = aCatalog();
    const sku = catalog.skus.get('Standard_D2s_v3');
    if (sku === undefined) throw new Error('no size');
    for (const capacityType of ['on-demand', 'spot']) unavailable.block({ size: sku, zone: 'southcentralus-1', capacityType, ttlMs: 1000 });
    expect(valuesOf(typeOf('D2s_v3'), labels.zone)).toEqual(['0', 'southcentralus-2', 'southcentralus-3']);
    clock.ms = 1000;
    expect(valuesOf(typeOf('D2s_v3'), labels.zone)).toContain('southcentralus-1');
  });
});

describe('the objects that are handed out', () => {
  test('are the same until something changed, and afterwards where nothing changed', () => {
    const { catalog, unavailable, typesOf, typeOf } = aCatalog();
    const before = typesOf();
    expect(typesOf()).toBe(before);
    const [d2s, d2] = [typeOf('D2s_v3'), typeOf('D2_v5')];
    const sku = catalog.skus.get('Standard_D2s_v3');
    if (sku === undefined) throw new Error('no size');
    unavailable.block({ size: sku, zone: 'southcentralus-1', capacityType: 'spot', ttlMs: 1000 });
    expect(typeOf('D2s_v3')).not.toBe(d2s);
    expect(typeOf('D2_v5')).toBe(d2);
  });
});

/** A record for every size that eastus has a price for, shaped as the recorded D2s_v3. */
const wholeRegion = (): readonly ResourceSku[] => {
  const model: ResourceSku | undefined = recorded.find((record) => record.name === 'Standard_D2s_v3');
  return [...staticPricesOf('eastus').onDemand.keys()].map((name) => {
    const vCpus = parseVmSize(name.replace('Standard_', ''))?.vCpus ?? 2;
    const kept = (model?.capabilities ?? []).filter((capability) => capability.name !== 'vCPUs' && capability.name !== 'MemoryGB');
    return {
      ...model,
      name,
      size: name.replace('Standard_', ''),
      capabilities: [...kept, { name: 'vCPUs', value: String(vCpus) }, { name: 'MemoryGB', value: String(4 * vCpus) }],
    };
  });
};

test('the catalog of a whole region has more than 900 types, each once', () => {
  const { catalog } = aCatalog();
  catalog.setSkus(wholeRegion());
  const types = catalog.typesFor(facetsOf({ spec: {} }, 250));
  expect(types.length).toBeGreaterThan(900);
  expect(new Set(types.map(({ name }) => name)).size).toBe(types.length);
});

describe('prices that were committed to', () => {
  const committed: readonly CommittedPrice[] = [{ sizes: 'Ds_v3', price: { kind: 'discount', share: 0.5 } }];
  const pricesOf = (type: InstanceType, capacityType: string) => [
    ...new Set(type.offerings.filter((offering) => offering.capacityType === capacityType).map(({ pricePerHour }) => pricePerHour)),
  ];

  test('are those of every offering on demand, in zones and without, and follow the retail price', () => {
    const { catalog, typeOf } = aCatalog(committed);
    expect(pricesOf(typeOf('D2s_v3'), 'on-demand')).toEqual([0.055]);
    expect(pricesOf(typeOf('D2s_v3'), 'spot')).toEqual([0.11]);
    catalog.setPrices(priceBookOf([{ armSkuName: 'Standard_D2s_v3', retailPrice: 0.2, skuName: '', meterName: '', productName: '' }]));
    expect(pricesOf(typeOf('D2s_v3'), 'on-demand')).toEqual([0.1]);
    expect(catalog.prices.onDemand.get('Standard_D2s_v3')).toBe(0.2);
  });
});

test('when quota is read again and says the same › the list of types is the same, and is not compiled again', () => {
  const { catalog, typesOf } = aCatalog();
  const before = typesOf();
  catalog.setQuota(new Map([['standarddsv3family', 100]]));
  expect(typesOf()).toBe(before);
  catalog.setQuota(new Map([['standarddsv3family', 0]]));
  expect(typesOf()).not.toBe(before);
});

describe('what is kept for the subscription', () => {
  const GROUP = '/subscriptions/s/resourceGroups/capacity/providers/Microsoft.Compute/capacityReservationGroups/web';
  const keeping = (capacity: number, id = 'r-1') => ({
    ...{ id, groupId: GROUP, size: 'Standard_D4s_v3', zone: `${location}-1`, capacity },
    machineIds: new Set<string>(),
  });

  test('is an offering of its size, which other sizes do not see', () => {
    const { reservations, typeOf } = aCatalog();
    const [before, other] = [typeOf('D4s_v3'), typeOf('D2s_v3')];
    reservations.read(GROUP, [keeping(2)]);
    expect(typeOf('D2s_v3')).toBe(other);
    const kept = typeOf('D4s_v3').offerings.filter(({ reservation }) => reservation !== undefined);
    expect(kept).toMatchObject([{ capacityType: 'reserved', isAvailable: true, reservation: { id: 'r-1', remaining: 2 } }]);
    expect(typeOf('D4s_v3').offerings).toHaveLength(before.offerings.length + 1);
  });

  test('says by labels what it is, and what is bought says that it is none', () => {
    const { reservations, typeOf } = aCatalog();
    reservations.read(GROUP, [keeping(2)]);
    const { offerings, requirements } = typeOf('D4s_v3');
    const groups = offerings.map((offering) => singleValues(offering.requirements)[azureLabels.capacityReservationGroup] ?? '');
    expect(groups).toEqual(offerings.map(({ reservation }) => (reservation === undefined ? '' : 'web')));
    expect(requirements.get(azureLabels.capacityReservationGroup)).toMatchObject({ mayBeAbsent: true });
    expect(valuesOf(typeOf('D4s_v3'), labels.capacityType)).toEqual(['on-demand', 'reserved', 'spot']);
  });

  test('stays listed when it is used up, and while it is blocked', () => {
    const { reservations, unavailable, typeOf } = aCatalog();
    reservations.read(GROUP, [keeping(0), keeping(1, 'r-2')]);
    unavailable.blockReservation('r-2', 1000);
    const kept = typeOf('D4s_v3').offerings.filter(({ reservation }) => reservation !== undefined);
    expect(kept.map(({ isAvailable, reservation }) => [isAvailable, reservation?.remaining])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  test('is dearer of larger sizes, and cheaper than anything that is bought', () => {
    const { reservations, typesOf } = aCatalog();
    reservations.read(GROUP, [keeping(1), { ...keeping(1, 'r-2'), size: 'Standard_D2s_v3' }]);
    const offerings = typesOf().flatMap((type) => type.offerings);
    const [kept, bought] = [true, false].map((isKept) =>
      offerings.filter(({ reservation }) => (reservation !== undefined) === isKept).map(({ pricePerHour }) => pricePerHour),
    );
    expect(kept?.[0]).toBeLessThan(kept?.[1] ?? 0);
    expect(Math.max(...(kept ?? []))).toBeLessThan(Math.min(...(bought ?? [])));
  });
});

describe('when a class changes every second', () => {
  const afterChanges = (spec: AKSNodeClassSpec) => {
    const { clock, typesOf } = aCatalog();
    const before = { changed: typesOf({ osDiskSizeGB: 100 }), other: typesOf() };
    for (let change = 1; change <= 60; change += 1) {
      clock.ms += 1000;
      typesOf({ osDiskSizeGB: 100 + change });
      typesOf();
    }
    return { before, now: typesOf(spec) };
  };

  test('types of its earlier specs are let go within a minute', () => {
    const { before, now } = afterChanges({ osDiskSizeGB: 100 });
    expect(now).not.toBe(before.changed);
    expect(now).toEqual(before.changed);
  });

  test('those of a class in use stay the same', () => {
    const { before, now } = afterChanges({});
    expect(now).toBe(before.other);
  });
});
