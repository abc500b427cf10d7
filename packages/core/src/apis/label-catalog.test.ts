import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, isRestrictedLabel, mergeLabelCatalogs } from './label-catalog.ts';
import type { LabelCatalog } from './label-catalog.ts';
import { labels } from './names.ts';

const cloud: LabelCatalog = {
  wellKnown: new Set(['cloud.example/size']),
  restrictedDomains: new Set(['cloud.example']),
  restrictedLabels: new Set(['pool']),
  normalizedKeys: new Map([['csi.cloud.example/zone', labels.zone]]),
  normalizedValues: new Map([[labels.zone, new Map([['', '0']])]]),
  knownValues: new Map([[labels.capacityType, new Set(['spot'])]]),
};
const both = mergeLabelCatalogs(defaultLabelCatalog, cloud);

describe('a cloud’s labels beside the core’s', () => {
  test('both are known, and where both speak of one label the cloud is right', () => {
    expect(both.wellKnown.has(labels.zone) && both.wellKnown.has('cloud.example/size')).toBe(true);
    expect([...both.normalizedKeys.keys()]).toEqual([...defaultLabelCatalog.normalizedKeys.keys(), 'csi.cloud.example/zone']);
    expect(both.knownValues.get(labels.capacityType)).toEqual(new Set(['spot']));
  });

  test.each([
    ['a label of anyone’s own', 'example.com/team', false],
    ['a label without domain', 'team', false],
    ['a well-known label of a restricted domain', 'cloud.example/size', false],
    ['another label of that domain', 'cloud.example/secret', true],
    ['a label of a domain within it', 'eu.cloud.example/secret', true],
    ['a label of a domain that only ends alike', 'mycloud.example/secret', false],
    ['a restricted label', 'pool', true],
    ['the hostname', labels.hostname, true],
    ['the name of the pool', labels.nodePool, false],
  ])('%s', (_, key, restricted) => expect(isRestrictedLabel(key, both)).toBe(restricted));
});
