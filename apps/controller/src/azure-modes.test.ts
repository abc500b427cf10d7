import { describe, expect, jest, test } from '@jest/globals';
import { decodeBootstrap, refusal } from '@karpenter/azure-emulator';
import { nodesOf } from './testing/clusters/cluster-census.ts';
import { newerMachines, publishNewerImages } from './testing/stories/newer-images.ts';
import { aDeployment, aNodeClass, aPool, oneOf, poolOfD4 } from './testing/clusters/objects.ts';
import { making, modesOfRun } from './testing/stories/provision-mode.ts';
import { settled, whyNotLaunched } from './testing/stories/story-ends.ts';
import { startStoryIn } from './testing/stories/story.ts';

// They run side by side, and share a busy machine.
jest.setTimeout(300_000);

describe('machines whose user data Karpenter writes', () => {
  test.concurrent('join with the swap, the sysctls and the DNS cache of their class', async () => {
    const zoneOf = (zone: string, forwardDestination: string) => ({
      ...{ zone, forwardDestination, queryLogging: 'Error', protocol: 'PreferUDP', forwardPolicy: 'Sequential', maxConcurrent: 1000 },
      ...{ cacheDuration: '1h', serveStaleDuration: '1h', serveStale: 'Immediate' },
    });
    const overrides = [zoneOf('.', 'VnetDNS'), zoneOf('cluster.local', 'ClusterCoreDNS')];
    const spec = {
      kubelet: { failSwapOn: false },
      linuxOSConfig: { swapFileSize: '2Gi', sysctls: { vmSwappiness: 10 } },
      localDNS: { mode: 'Required', vnetDNSOverrides: overrides, kubeDNSOverrides: overrides },
    };
    const nodeClass = { ...aNodeClass, spec };
    await using story = await startStoryIn({ variables: making('aksscriptless') }, nodeClass, poolOfD4);
    story.create(aDeployment({ replicas: 2, cpu: '3' }));
    await settled(story, 2, 2);
    expect(story.cluster.failedBootstraps).toEqual([]);
    const learned = story.cluster.arm.vms().map(({ osProfile }) => decodeBootstrap(osProfile.customData ?? ''));
    expect(learned).toHaveLength(2);
    for (const { clusterDns, settings } of learned) {
      expect(clusterDns).toBe('169.254.10.11');
      expect(settings).toMatchObject({ swapFileSizeMB: 2048, sysctls: { 'vm.swappiness': '10' }, kubeletConfig: { failSwapOn: false } });
    }
  });
});

describe('machines whose user data AKS writes', () => {
  test.concurrent('come, run pods, and go without leaving anything', async () => {
    await using story = await startStoryIn({ variables: making('bootstrappingclient') }, aNodeClass, poolOfD4);
    story.create(aDeployment({ replicas: 2, cpu: '3' }));
    await settled(story, 2, 2);
    expect(story.cluster.failedBootstraps).toEqual([]);
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });

  test.concurrent('wait while the service has nothing for them, and say why', async () => {
    await using story = await startStoryIn({ variables: making('bootstrappingclient') }, aNodeClass, poolOfD4);
    const effect = { kind: 'refuse', refusal: refusal(400, '', 'the distro is not known') } as const;
    using outage = story.cluster.arm.faults.add({ operation: 'NodeBootstrapping_Get', effect });
    story.create(aDeployment({ replicas: 1, cpu: '3' }));
    await story.until('the claim says why', () =>
      whyNotLaunched(story, 'NodeBootstrappingFailed').some((why) => why.includes('is not known')),
    );
    expect(story.census()).toMatchObject({ running: 0, vms: 0, nics: 0, disks: 0 });
    outage[Symbol.dispose]();
    await settled(story, 1, 1);
  });
});

describe('machines of an agent pool, which AKS makes', () => {
  test.concurrent('come, run pods, and go without leaving anything', async () => {
    await using story = await startStoryIn({ variables: making('aksmachineapi') }, aNodeClass, poolOfD4);
    story.create(aDeployment({ replicas: 2, cpu: '3' }));
    await settled(story, 2, 2);
    expect(story.cluster.failedBootstraps).toEqual([]);
    expect(story.cluster.arm.requests.count('VirtualMachines_CreateOrUpdate')).toBe(0);
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });

  test.concurrent('are created with one call in the batch mode, run pods, and leave nothing behind', async () => {
    await using story = await startStoryIn({ variables: making('aksmachineapiheaderbatch') }, aNodeClass, poolOfD4);
    story.create(aDeployment({ replicas: 4, cpu: '3' }));
    await settled(story, 4, 4);
    const { requests } = story.cluster.arm;
    expect(requests.of('Machines_CreateOrUpdate').map(({ headers }) => headers['batchputmachine'] !== undefined)).toEqual([true]);
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });
});

// What does not depend on the mode is lived in one of them in every run, and in all of them by `pnpm stories:modes`.
describe.each(modesOfRun('aksmachineapiheaderbatch'))('machines by $name', ({ name }) => {
  test.concurrent('give way to others when there is a newer image', async () => {
    await using story = await startStoryIn({ variables: making(name) }, aNodeClass, poolOfD4);
    story.create(aDeployment({ replicas: 2, cpu: '3' }));
    await settled(story, 2, 2);
    await publishNewerImages(story);
    await story.until('both have the newer image', () => newerMachines(story) === 2 && story.census().vms === 2, { within: 20 });
    await settled(story, 2, 2);
  });
});

describe.each(modesOfRun('bootstrappingclient'))('machines by $name', ({ name }) => {
  test.concurrent('stop at the limit of their pool, go when they are empty, and wait for a disruption budget', async () => {
    const limited = aPool([oneOf('node.kubernetes.io/instance-type', 'Standard_D4s_v3')], { limits: { cpu: '8' } });
    await using story = await startStoryIn({ variables: making(name) }, aNodeClass, limited);
    const { arm, local } = story.cluster;
    story.create(aDeployment({ replicas: 3, cpu: '3' }));
    await story.until('the third pod says why', () => story.reported('Pod', 'FailedScheduling').some((why) => why.includes('limit')));
    await story.until('two run', () => story.census().running === 2);
    story.scale('inflate', 1);
    await settled(story, 1, 1);

    const budget = { name: 'inflate', namespace: 'default' };
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'inflate' } } };
    story.create({ ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, metadata: budget, ...{ spec } });
    const [before] = arm.vms();
    local.delete('Node', { name: nodesOf(story.cluster)[0]?.metadata.name ?? '' });
    await story.until('the drain is blocked', () => story.reported('Node', 'FailedDraining').length > 0);
    await story.pass(60_000);
    expect(arm.vms().some((vm) => vm.name === before?.name)).toBe(true);
    local.patch('PodDisruptionBudget', budget, { type: 'merge', body: { spec: { minAvailable: 0 } } });
    await story.until('the machine is gone', () => !arm.vms().some((vm) => vm.name === before?.name));
    await settled(story, 1, 1);
  });
});

describe.each(modesOfRun('aksmachineapi'))('machines by $name', ({ name }) => {
  test.concurrent('that are spot and taken back give way to others', async () => {
    const { template } = poolOfD4.spec;
    const requirements = [oneOf('karpenter.sh/capacity-type', 'spot'), oneOf('node.kubernetes.io/instance-type', 'Standard_D4s_v3')];
    const spotOnly = aPool([], { template: { ...template, spec: { ...template.spec, requirements } } });
    const latencies = { evictionNoticeMs: 120_000 };
    await using story = await startStoryIn({ variables: making(name), latencies }, aNodeClass, spotOnly);
    story.create(aDeployment({ replicas: 2, cpu: '3' }));
    await settled(story, 2, 2);
    const { arm } = story.cluster;
    const before = arm.vms().map((vm) => vm.name);
    for (const vm of before) arm.evict(vm);
    await story.until('there are others', () => arm.vms().length === 2 && !arm.vms().some((vm) => before.includes(vm.name)));
    await settled(story, 2, 2);
    expect(story.reported('Node', 'Interrupted')).toHaveLength(2);
  });
});

describe.each(modesOfRun('aksscriptless', 'aksmachineapi'))('machines by $name', ({ name }) => {
  const ZONE = 'topology.kubernetes.io/zone';

  test.concurrent('stand in the zone of the subscription that their pods ask for, also after the token has ended', async () => {
    await using story = await startStoryIn({ variables: making(name) }, aNodeClass, poolOfD4);
    const { arm } = story.cluster;
    story.create(aDeployment({ name: 'first', replicas: 1, cpu: '3', podSpec: { nodeSelector: { [ZONE]: 'eastus-2' } } }));
    await story.until('there is a node', () => nodesOf(story.cluster).length === 1);
    arm.revokeTokens();
    story.create(aDeployment({ replicas: 1, cpu: '3', podSpec: { nodeSelector: { [ZONE]: 'eastus-3' } } }));
    await settled(story, 1, 2);
    const zones = nodesOf(story.cluster).map(({ metadata }) => metadata.labels?.[ZONE]);
    expect([
      arm
        .vms()
        .map(({ zone }) => zone)
        .sort(),
      zones.sort(),
    ]).toEqual([
      ['2', '3'],
      ['eastus-2', 'eastus-3'],
    ]);
    expect(arm.requests.all().filter(({ status }) => status === 401)).not.toEqual([]);
  });
});
