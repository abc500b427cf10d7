import { describe, expect, test } from '@jest/globals';
import { type InstanceType, labels, type Offering, requirementsOf, type RequirementSpec } from '@karpenter/core';
import { azureLabelCatalog } from '../apis/index.ts';
import { oneOfValues } from '../catalog/index.ts';
import { cheapestSpotSizes, chooseOffering, type Wanted } from './offering-choice.ts';

type Terms = readonly [zone: string, capacityType: string, pricePerHour: number, isAvailable?: boolean];

const offering = (...[zone, capacityType, pricePerHour, isAvailable = true]: Terms): Offering => ({
  zone,
  capacityType,
  pricePerHour,
  isAvailable,
  requirements: new Map([
    [labels.zone, oneOfValues(labels.zone, [zone])],
    [labels.capacityType, oneOfValues(labels.capacityType, [capacityType])],
  ]),
});
const type = (name: string, cpu: number, offerings: readonly Offering[]): InstanceType => ({
  name,
  offerings,
  requirements: new Map([[labels.instanceType, oneOfValues(labels.instanceType, [name])]]),
  capacity: { cpu, memory: 8e9 },
  overhead: {},
});
const choose = (
  types: readonly InstanceType[],
  specs: readonly RequirementSpec[] = [],
  { cpu = 0, full = '', claimName = 'web-1' }: { cpu?: number; full?: string; claimName?: string } = {},
): string | undefined => {
  const requirements = requirementsOf(specs, azureLabelCatalog);
  const hasRoom = (id: string): boolean => id !== full;
  const choice = chooseOffering(types, { claimName, requirements, requests: { cpu }, labelCatalog: azureLabelCatalog, hasRoom });
  return choice && `${choice.type.name} ${choice.offering.zone} ${choice.offering.capacityType}`;
};

describe('what is bought for a claim', () => {
  test('is what is kept, as long as something of it is left', () => {
    const kept = { ...offering('eastus-2', 'reserved', 0), reservation: { id: 'r-1', remaining: 1 } };
    const types = [type('a', 4000, [kept, offering('eastus-1', 'on-demand', 1)])];
    expect(choose(types)).toBe('a eastus-2 reserved');
    expect(choose(types, [], { full: 'r-1' })).toBe('a eastus-1 on-demand');
  });

  test('is the cheapest; of equal ones spot, then zonal, then by name', () => {
    const b = type('b', 4000, [offering('0', 'spot', 1), offering('eastus-2', 'spot', 1), offering('eastus-1', 'on-demand', 1)]);
    const a = type('a', 4000, [offering('eastus-1', 'spot', 1)]);
    expect(choose([b, a])).toBe('a eastus-1 spot');
    expect(choose([a, b])).toBe('a eastus-1 spot');
    expect(choose([b])).toBe('b eastus-2 spot');
    expect(choose([b, type('c', 4000, [offering('0', 'on-demand', 0.5)])])).toBe('c 0 on-demand');
  });

  test('stands in any of equal zones, evenly from claim to claim, and for one claim always in the same', () => {
    const zones = ['1', '2', '3'].map((zone) => offering(`eastus-${zone}`, 'on-demand', 1));
    const chosen = Array.from({ length: 300 }, (_, index) => {
      const claimName = `web-${index}`;
      const [one, turned] = [zones, zones.toReversed()].map((offerings) => choose([type('a', 4000, offerings)], [], { claimName }));
      expect(turned).toBe(one);
      return one;
    });
    for (const { zone } of zones) {
      const share = chosen.filter((choice) => choice === `a ${zone} on-demand`).length / chosen.length;
      expect(share).toBeGreaterThan(0.25);
    }
  });

  test('is available, fits the pods, and is what the claim asks for', () => {
    const small = type('small', 1000, [offering('eastus-1', 'on-demand', 1)]);
    const gone = type('gone', 8000, [offering('eastus-1', 'on-demand', 1, false)]);
    const large = type('large', 8000, [offering('eastus-1', 'on-demand', 9), offering('eastus-2', 'on-demand', 8)]);
    expect(choose([small, gone, large], [], { cpu: 2000 })).toBe('large eastus-2 on-demand');
    expect(choose([small, gone, large], [{ key: labels.zone, operator: 'In', values: ['eastus-1'] }], { cpu: 2000 })).toBe(
      'large eastus-1 on-demand',
    );
    expect(choose([small, gone, large], [{ key: labels.zone, operator: 'In', values: ['eastus-3'] }])).toBeUndefined();
  });

  test('does not mind labels of the pool that say nothing about machines', () => {
    const any = type('any', 1000, [offering('eastus-1', 'on-demand', 1)]);
    expect(choose([any], [{ key: 'example.com/team', operator: 'In', values: ['web'] }])).toBe('any eastus-1 on-demand');
  });
});

describe('among spot machines that Azure may not be able to make', () => {
  const a = type('a', 4000, [offering('eastus-1', 'spot', 1), offering('eastus-2', 'spot', 1), offering('eastus-1', 'on-demand', 1.5)]);
  const b = type('b', 4000, [offering('eastus-1', 'spot', 1.4)]);
  const wanted: Wanted = {
    ...{ claimName: 'web-1', requirements: requirementsOf([], azureLabelCatalog), requests: {}, labelCatalog: azureLabelCatalog },
    hasRoom: () => true,
  };
  const chosenBy = (factors: Readonly<Record<string, number>>): string => {
    const choice = chooseOffering([a, b], { ...wanted, spotFactorOf: (size, zone) => factors[`${size} ${zone}`] ?? 1 });
    return choice === undefined ? '' : `${choice.type.name} ${choice.offering.zone} ${choice.offering.capacityType}`;
  };

  test('a likelier zone, a likelier size, or a machine on demand is chosen for a price that is little higher', () => {
    expect(chosenBy({ 'a eastus-1': 2 })).toBe('a eastus-2 spot');
    expect(chosenBy({ 'a eastus-1': 2, 'a eastus-2': 2 })).toBe('b eastus-1 spot');
    expect(chosenBy({ 'a eastus-1': 2, 'a eastus-2': 2, 'b eastus-1': 2 })).toBe('a eastus-1 on-demand');
  });

  test('the cheapest sizes that can be bought as spot are those whose scores count', () => {
    const none = type('none', 4000, [offering('eastus-1', 'on-demand', 0.1)]);
    expect(cheapestSpotSizes([b, none, a], wanted, 5)).toEqual(['a', 'b']);
    expect(cheapestSpotSizes([b, none, a], wanted, 1)).toEqual(['a']);
  });
});
