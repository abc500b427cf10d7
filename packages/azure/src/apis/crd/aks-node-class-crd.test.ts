import { describe, expect, test } from '@jest/globals';
import { aksNodeClassCrd } from './aks-node-class-crd.ts';
import { azureLabelRules } from './azure-label-rules.ts';
import { SUBNET_ID_PATTERN, specSchema } from './spec-schema.ts';

describe('the CRD of AKSNodeClass', () => {
  test('serves both versions with one schema and stores v1beta1', () => {
    const { versions } = aksNodeClassCrd.spec;
    expect(versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v1alpha2', true, false],
      ['v1beta1', true, true],
    ]);
    expect(versions[0]).toMatchObject({ deprecated: true });
    expect(versions[0]?.schema).toEqual(versions[1]?.schema);
  });

  test('has every field of the original, with its defaults, and fields of its own', () => {
    const own = ['additionalSubnetIDs', 'diskEncryptionSetID', 'httpProxyConfig', 'ipFamilies', 'podSubnetID', 'proximityPlacementGroupID'];
    expect(Object.keys(specSchema.properties ?? {}).sort()).toEqual(
      [
        ...own,
        'artifactStreaming',
        'fipsMode',
        'gpu',
        'imageFamily',
        'kubelet',
        'linuxOSConfig',
        'localDNS',
        'maxPods',
        'osDiskSizeGB',
        'security',
        'tags',
        'vnetSubnetID',
      ].sort(),
    );
    expect(specSchema.properties).toMatchObject({
      osDiskSizeGB: { default: 128, minimum: 30, maximum: 2048 },
      imageFamily: { default: 'Ubuntu' },
      maxPods: { minimum: 10, maximum: 250 },
    });
  });

  test.each([
    ['/subscriptions/s/resourceGroups/MC_a.b(c)/providers/Microsoft.Network/virtualNetworks/v/subnets/n', true],
    ['/SUBSCRIPTIONS/s/RESOURCEGROUPS/rg/PROVIDERS/microsoft.network/VIRTUALNETWORKS/v/SUBNETS/n', true],
    ['/subscriptions/s/resourceGroups/ends.with./providers/Microsoft.Network/virtualNetworks/v/subnets/n', false],
    ['/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v', false],
    ['/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n/more', false],
  ])('%s as a subnet: %s', (id, isOne) => {
    expect(new RegExp(SUBNET_ID_PATTERN).test(id)).toBe(isOne);
  });
});

describe('the rules for labels on core’s CRDs', () => {
  test('name the labels that are allowed and leave out the internal one', () => {
    const rules = azureLabelRules()
      .requirementKey.map(({ rule }) => rule)
      .join('\n');
    expect(rules).toContain("'karpenter.azure.com/sku-family'");
    expect(rules).toContain("'kubernetes.azure.com/mode'");
    expect(rules).toContain("'agentpool'");
    expect(rules).not.toContain('hyperv');
  });

  test('apply to each key of a map', () => {
    expect(azureLabelRules().labelMap.every(({ rule }) => rule.startsWith('self.all(x, '))).toBe(true);
  });
});
