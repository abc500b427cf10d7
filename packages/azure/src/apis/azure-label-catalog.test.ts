import { expect, test } from '@jest/globals';
import { admits, labels, requirementsOf } from '@karpenter/core';
import { azureLabelCatalog } from './azure-label-catalog.ts';

const zonesOf = (zone: string) =>
  requirementsOf([{ key: 'topology.disk.csi.azure.com/zone', operator: 'In', values: [zone] }], azureLabelCatalog).get(labels.zone);

// Otherwise the volume of a disk without a zone would match no node.
test.each([
  ['a disk without a zone', '', '0', 'eastus-1'],
  ['a disk in a zone', 'eastus-1', 'eastus-1', '0'],
])('%s asks for the zone of nodes that it can be attached to', (...[, zone, matching, other]) => {
  const wanted = zonesOf(zone);
  expect(wanted && [admits(wanted, matching), admits(wanted, other)]).toEqual([true, false]);
});
