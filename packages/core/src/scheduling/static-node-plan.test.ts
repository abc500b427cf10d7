import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../apis/index.ts';
import { finish } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { NodePoolView } from '../cluster/index.ts';
import type { DaemonSet } from '../kube/index.ts';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import { planningStaticNode } from './pool-minimum-plan.ts';
import { defaultSchedulingPolicy } from './policy.ts';

const typeFor = (name: string, pricePerHour: number, capacityType = 'on-demand'): InstanceType => ({
  name,
  requirements: labelRequirements({ [labels.instanceType]: name, [labels.arch]: 'amd64', [labels.zone]: 'z1' }),
  offerings: [
    {
      zone: 'z1',
      capacityType,
      pricePerHour,
      isAvailable: true,
      requirements: labelRequirements({ [labels.zone]: 'z1', [labels.capacityType]: capacityType }),
    },
  ],
  capacity: { cpu: 4000, memory: 2 ** 34, pods: 110 },
  overhead: {},
});

const inZones = (type: InstanceType, zones: readonly string[]): InstanceType => ({
  ...type,
  requirements: new Map([...type.requirements, ...requirementsOf([{ key: labels.zone, operator: 'In', values: zones }])]),
  offerings: type.offerings.flatMap((offering) =>
    zones.map((zone) => ({
      ...offering,
      zone,
      requirements: new Map([...offering.requirements, ...labelRequirements({ [labels.zone]: zone })]),
    })),
  ),
});

const aStaticPool = (instanceTypes: readonly InstanceType[]): NodePoolView => ({
  nodePool: {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'fixed' },
    spec: {
      replicas: 3,
      template: {
        metadata: { labels: { team: 'a' } },
        spec: {
          requirements: [{ key: labels.capacityType, operator: 'In', values: ['on-demand'] }],
          nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' },
          terminationGracePeriod: '1h',
        },
      },
    },
  },
  instanceTypes,
  usage: {},
  mayLaunch: false,
});

const agent: DaemonSet = {
  metadata: { name: 'agent', namespace: 'kube-system' },
  spec: { template: { metadata: {}, spec: { containers: [{ name: 'a', resources: { requests: { cpu: '200m' } } }] } } },
};

const plannedOf = (types: readonly InstanceType[], daemonSets: readonly DaemonSet[] = []) =>
  finish(planningStaticNode(aStaticPool(types), { daemonSets }, defaultSchedulingPolicy));

describe('a machine of a static pool', () => {
  test('may be any type that the pool allows, the cheapest first, and is as the template says', () => {
    const planned = plannedOf([typeFor('dear', 2), typeFor('cheap', 1), typeFor('spot', 0.5, 'spot')]);
    expect(planned).toMatchObject({ nodePoolName: 'fixed', pods: [], cheapest: { instanceType: { name: 'cheap' } } });
    expect(planned?.instanceTypes.map(({ name }) => name)).toEqual(['cheap', 'dear']);
    expect(planned?.claim).toMatchObject({ labels: { team: 'a' }, spec: { terminationGracePeriod: '1h' } });
  });

  test('is said to come up in a zone where one in none costs as much, and in none only where that is all there is or is cheaper', () => {
    const normalizedValues = new Map([[labels.zone, new Map([['', '0']])]]);
    const policy = { ...defaultSchedulingPolicy, labelCatalog: { ...defaultLabelCatalog, normalizedValues } };
    const saidOf = (...types: readonly InstanceType[]) => {
      const { instanceType, offering } = finish(planningStaticNode(aStaticPool(types), { daemonSets: [] }, policy))?.cheapest ?? {};
      return `${instanceType?.name ?? ''} in ${offering?.zone ?? ''}`;
    };
    const cheap = typeFor('cheap', 1);
    expect(saidOf(inZones(cheap, ['0', 'z2', 'z1']), inZones(typeFor('other', 1), ['z0']))).toBe('cheap in z1');
    expect(saidOf(inZones(cheap, ['0']), inZones(typeFor('other', 1), ['z0']))).toBe('cheap in 0');
    const [regional, zonal] = [inZones(cheap, ['0']).offerings, inZones(typeFor('cheap', 2), ['z1']).offerings];
    expect(saidOf({ ...inZones(cheap, ['0', 'z1']), offerings: [...zonal, ...regional] })).toBe('cheap in 0');
  });

  test('asks for the room that its daemons take', () => {
    expect(plannedOf([typeFor('cheap', 1)], [agent])?.requests).toMatchObject({ cpu: 200 });
  });

  test('is undefined while nothing that the pool allows is for sale', () => {
    expect(plannedOf([typeFor('spot', 0.5, 'spot')])).toBeUndefined();
  });
});
