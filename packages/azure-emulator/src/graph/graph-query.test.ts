import { describe, expect, test } from '@jest/globals';
import { graphAnswerRowOf, parseGraphQuery } from './graph-query.ts';

const row = graphAnswerRowOf({
  id: '/subscriptions/s/resourceGroups/MC_Demo/providers/Microsoft.Compute/virtualMachines/aks-a',
  name: 'aks-a',
  type: 'Microsoft.Compute/virtualMachines',
  location: 'eastus',
  tags: { 'karpenter.sh_nodepool': 'general' },
  properties: {},
});

const finds = (query: string): boolean => {
  const parsed = parseGraphQuery(query);
  if (parsed.kind === 'unreadable') throw new Error(`unreadable: ${parsed.part}`);
  return parsed.test(row);
};

describe('a Resource Graph query', () => {
  test.each([
    [true, `Resources | where type == "microsoft.compute/virtualmachines"`],
    [false, `Resources | where type == "Microsoft.Compute/virtualMachines"`],
    [true, `Resources | where type =~ 'Microsoft.Compute/virtualMachines'`],
    [true, `resources | where resourceGroup == "mc_demo" and name == 'aks-a'`],
    [false, `Resources | where resourceGroup == "MC_Demo"`],
    [true, `Resources | where tags has_cs "karpenter.sh_nodepool"`],
    [false, `Resources | where tags has_cs "Karpenter.sh_nodepool"`],
    [true, `Resources\n| where tags !has_cs "other"`],
    [true, `Resources | where not(tags has_cs "other")`],
    [true, `Resources | where isnotempty(tags['karpenter.sh_nodepool'])`],
    [true, `Resources | where isnull(tags["other"]) | project id, name`],
  ])('answers %s to %s', (expected, query) => {
    expect(finds(query)).toBe(expected);
  });

  test.each(['Other | where a == "b"', 'Resources | where a > 3', 'Resources | take 5', 'Resources | where a == "b" or c == "d"'])(
    'is refused when it is %s',
    (query) => {
      expect(parseGraphQuery(query)).toMatchObject({ kind: 'unreadable' });
    },
  );
});
