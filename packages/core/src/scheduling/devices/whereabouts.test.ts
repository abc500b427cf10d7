import { expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../../apis/index.ts';
import { snapshotOf } from '../../cluster/index.ts';
import { requirementsOf } from '../../requirements/index.ts';
import type { DeviceReach } from './device.ts';
import { DeviceOffers } from './device-offers.ts';
import { PlannedWhereabouts } from './whereabouts.ts';

test('two searches that keep a node out of the same 200 racks come to the very same requirements, which are merged once', () => {
  const offers = new DeviceOffers(snapshotOf({ nodePools: [], instanceTypes: [], pods: [] }), [], defaultLabelCatalog);
  const racks = Array.from({ length: 200 }, (_, index): DeviceReach => {
    const matchExpressions = [{ key: 'rack', operator: 'In' as const, values: [`rack-${index}`] }];
    return { kind: 'nodes', terms: [{ matchExpressions }] };
  });
  const place = { requirements: requirementsOf([{ key: 'rack', operator: 'Exists' }]), wellKnown: new Set<string>(), accepts: () => true };
  const outside = () => {
    const whereabouts = new PlannedWhereabouts(offers, place);
    expect(racks.every((rack) => whereabouts.avoid(rack))).toBe(true);
    return whereabouts.requirements;
  };
  const [first, second] = [outside(), outside()];
  expect(second).toBe(first);
  expect(first.get('rack')?.values).toMatchObject({ kind: 'not-in', values: new Set(racks.map((_, index) => `rack-${index}`)) });
});
