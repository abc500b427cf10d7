import { describe, expect, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { crdServer } from './testing/crd-server.ts';

type Plain = Readonly<Record<string, unknown>>;
interface Written extends ApiObject {
  readonly spec: Plain;
}

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
const aPool = (name: string, spec: Plain = {}, template: Plain = {}): Written => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: { template: { spec: { requirements: [], nodeClassRef, ...template } }, ...spec },
});
const requiring = (...requirements: readonly Plain[]): Written => aPool('refused', {}, { requirements });
const labelled = (labels: Plain): Written =>
  aPool('refused', { template: { metadata: { labels }, spec: { requirements: [], nodeClassRef } } });
const budgeted = (budget: Plain): Written => aPool('refused', { disruption: { consolidateAfter: '0s', budgets: [budget] } });
const aClaim = (name: string, spec: Plain = {}): Written => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name },
  spec: { requirements: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] }], nodeClassRef, ...spec },
});

const server = crdServer();

const refusalOf = (write: () => unknown): string => {
  try {
    write();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
};

describe('an API server with the CRDs of the chart', () => {
  test('fills in what a NodePool leaves open', () =>
    expect(server().local.create(aPool('defaults'))).toMatchObject({
      spec: {
        disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenEmptyOrUnderutilized', budgets: [{ nodes: '10%' }] },
        template: { spec: { expireAfter: '720h' } },
      },
    }));

  test('accepts what people write', () => {
    const requirements = [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
      { key: 'karpenter.azure.com/sku-family', operator: 'In', values: ['D'], minValues: 1 },
      { key: 'karpenter.azure.com/sku-cpu', operator: 'Gt', values: ['3'] },
      { key: 'example.com/team', operator: 'Exists' },
    ];
    const taints = [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }];
    const spec = {
      limits: { cpu: 100, memory: '1Ti' },
      weight: 10,
      disruption: {
        consolidateAfter: '1h'.repeat(50),
        budgets: [
          { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h', reasons: ['Drifted'] },
          { nodes: '5', schedule: '@daily', duration: '1h30m' },
        ],
      },
    };
    expect(
      refusalOf(() =>
        server().local.create(aPool('usual', spec, { requirements, taints, expireAfter: 'Never', terminationGracePeriod: '1h30m' })),
      ),
    ).toBe('accepted');
  });

  test.each<[string, Written, string]>([
    ['In without values', requiring({ key: 'a', operator: 'In' }), "operator 'In' must have a value defined"],
    ['a bound that is no integer', requiring({ key: 'a', operator: 'Gt', values: ['many'] }), 'spec.template.spec.requirements'],
    [
      'a bound below zero',
      requiring({ key: 'a', operator: 'Lt', values: ['-1'] }),
      'must have a single value that is an integer of at least 0',
    ],
    ['an unknown operator', requiring({ key: 'a', operator: 'Like', values: ['b'] }), 'spec.template.spec.requirements[0].operator'],
    [
      'more variety than is named',
      requiring({ key: 'a', operator: 'In', values: ['b'], minValues: 2 }),
      "'minValues' must have at least that many values",
    ],
    ['a malformed key', requiring({ key: 'a b', operator: 'Exists' }), 'spec.template.spec.requirements[0].key'],
    [
      'the name of the pool',
      requiring({ key: 'karpenter.sh/nodepool', operator: 'Exists' }),
      'label "karpenter.sh/nodepool" is restricted',
    ],
    [
      'a label of Karpenter’s domain',
      requiring({ key: 'x.karpenter.sh/y', operator: 'Exists' }),
      'label domain "karpenter.sh" is restricted',
    ],
    ['the hostname', requiring({ key: 'kubernetes.io/hostname', operator: 'Exists' }), 'label "kubernetes.io/hostname" is restricted'],
    ['an unknown label of Azure’s', requiring({ key: 'karpenter.azure.com/sku-colour', operator: 'Exists' }), 'karpenter.azure.com'],
    ['a node label of Karpenter’s domain', labelled({ 'karpenter.sh/initialized': 'true' }), 'label domain "karpenter.sh" is restricted'],
    ['a node label that belongs to AKS', labelled({ agentpool: 'x' }), 'belong to AKS'],
    [
      'a duration of more than 100 characters',
      aPool('refused', { disruption: { consolidateAfter: '1h'.repeat(51) } }),
      'spec.disruption.consolidateAfter',
    ],
    ['an age of more than 100 characters', aPool('refused', {}, { expireAfter: '1h'.repeat(51) }), 'spec.template.spec.expireAfter'],
    [
      'a schedule of more than 1,000 characters',
      budgeted({ nodes: '0', schedule: `0 9 * * ${'1,'.repeat(500)}`, duration: '8h' }),
      'spec.disruption.budgets[0].schedule',
    ],
    ['an unknown effect', aPool('refused', {}, { taints: [{ key: 'a', effect: 'Never' }] }), 'spec.template.spec.taints[0].effect'],
    ['an expiry in days', aPool('refused', {}, { expireAfter: '30d' }), 'spec.template.spec.expireAfter'],
    ['no node class', { ...aPool('refused'), spec: { template: { spec: { requirements: [] } } } }, 'spec.template.spec.nodeClassRef'],
    [
      'a value of a claim that no label may have',
      aClaim('refused', { requirements: [{ key: 'a', operator: 'In', values: ['b\nc=d'] }] }),
      'spec.requirements[0].values[0]',
    ],
    ['a node class without name', aPool('refused', {}, { nodeClassRef: { ...nodeClassRef, name: '' } }), 'may not be empty'],
    ['a budget of more than all', budgeted({ nodes: '101%' }), 'spec.disruption.budgets[0].nodes'],
    ['a schedule without duration', budgeted({ nodes: '1', schedule: '@daily' }), "'schedule' must be set with 'duration'"],
    ['a schedule of four fields', budgeted({ nodes: '1', schedule: '0 9 * *', duration: '1h' }), 'spec.disruption.budgets[0].schedule'],
    ['a duration in seconds', budgeted({ nodes: '1', schedule: '@daily', duration: '90s' }), 'spec.disruption.budgets[0].duration'],
    ['a malformed limit', aPool('refused', { limits: { cpu: 'lots' } }), 'spec.limits.cpu'],
    ['too much weight', aPool('refused', { weight: 101 }), 'spec.weight'],
    [
      'a minimum of a static pool',
      aPool('refused', { replicas: 1, minimum: { nodes: 1 } }),
      "'minimum' is not supported on static NodePools",
    ],
    ['weight on a static pool', aPool('refused', { replicas: 1, weight: 1 }), "'weight' is not supported on static NodePools"],
    [
      'a cpu limit on a static pool',
      aPool('refused', { replicas: 1, limits: { cpu: 1 } }),
      "only 'limits.nodes' is supported on static NodePools",
    ],
  ])('refuses %s, by field and reason', (...[, pool, reason]) => expect(refusalOf(() => server().local.create(pool))).toContain(reason));

  test('lets a pool change, but neither its kind of node class nor from dynamic to static', () => {
    server().local.create(aPool('changing'));
    expect(
      refusalOf(() => server().local.update(aPool('changing', { weight: 5 }, { nodeClassRef: { ...nodeClassRef, name: 'other' } }))),
    ).toBe('accepted');
    expect(refusalOf(() => server().local.update(aPool('changing', { replicas: 1 })))).toContain('Cannot transition between static');
    const elsewhere = { nodeClassRef: { ...nodeClassRef, kind: 'EC2NodeClass' } };
    expect(refusalOf(() => server().local.update(aPool('changing', {}, elsewhere)))).toContain('nodeClassRef.kind is immutable');
  });

  test('scales a static pool by its scale subresource', () => {
    server().local.create(aPool('static', { replicas: 1, limits: { nodes: 5 } }));
    server().local.patch('NodePool', { name: 'static' }, { type: 'merge', subresource: 'scale', body: { spec: { replicas: 3 } } });
    expect(server().local.get<Written>('NodePool', { name: 'static' })?.spec['replicas']).toBe(3);
  });

  test('keeps the spec of a NodeClaim as it was made', () => {
    server().local.create(aClaim('claim'));
    expect(refusalOf(() => server().local.update(aClaim('claim', { expireAfter: '1h' })))).toContain('spec is immutable');
  });
});
