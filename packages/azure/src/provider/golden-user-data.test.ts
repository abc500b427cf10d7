import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { labels, type RequirementSpec } from '@karpenter/core';
import type { AKSNodeClass, AKSNodeClassSpec } from '../apis/index.ts';
import type { LocalDNSZone } from '../apis/aks-node-class.ts';
import { aClaim, onDemand } from '../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
const goldenScript = (name: string): string => readFileSync(new URL(`./__golden__/${name}.sh`, import.meta.url), 'utf8');

const galleries = ({ arm }: AzureWorld): Readonly<Record<string, string>> => ({
  USE_SIG: 'true',
  SIG_SUBSCRIPTION_ID: arm.account.imageSubscriptionId,
  SIG_ACCESS_TOKEN_SERVER_URL: arm.auxiliaryTokensUrl,
});

const sizeNamed = (name: string): RequirementSpec => ({ key: labels.instanceType, operator: 'In', values: [name] });

/** The user data of the first machine of a class, with its image above it. */
const userDataOf = async (spec: AKSNodeClassSpec, sizeName: string): Promise<string> => {
  await using world = await azureWorld();
  world.cluster.put({ ...aNodeClass(), spec } as AKSNodeClass & NamedObject);
  const azure = await world.provider(galleries(world));
  await world.passing(azure.provider.create(aClaim('general-x7k2p', sizeNamed(sizeName), onDemand), unendingCall));
  await world.passing(azure.idle());
  const [vm] = world.arm.vms();
  const { subscriptionId, tenantId, imageSubscriptionId } = world.arm.account;
  const script = Buffer.from(vm?.osProfile.customData ?? '', 'base64').toString('utf8');
  return `# ${vm?.imageId ?? ''}\n${script}`
    .replaceAll(subscriptionId, 'SUBSCRIPTION')
    .replaceAll(imageSubscriptionId, 'IMAGES')
    .replaceAll(tenantId, 'TENANT');
};

const zone = (name: string, forwardDestination: LocalDNSZone['forwardDestination']): LocalDNSZone => ({
  ...{ zone: name, queryLogging: 'Error', protocol: 'PreferUDP', forwardDestination, forwardPolicy: 'Sequential' },
  ...{ maxConcurrent: 1000, cacheDuration: '1h', serveStaleDuration: '1h', serveStale: 'Immediate' },
});

/** What the scripts of the image apply beside the flags of the kubelet. */
const everySetting: AKSNodeClassSpec = {
  imageFamily: 'Ubuntu2204',
  kubelet: { failSwapOn: false, cpuCFSQuotaPeriod: '50ms' },
  linuxOSConfig: {
    ...{ swapFileSize: '1Gi', transparentHugePageEnabled: 'madvise', transparentHugePageDefrag: 'defer+madvise' },
    sysctls: { netIPv4TCPFinTimeout: 30, netCoreSomaxconn: 65535, netIPv4IPLocalPortRange: '1024 65535' },
  },
  localDNS: {
    mode: 'Required',
    vnetDNSOverrides: [zone('.', 'VnetDNS'), zone('cluster.local', 'ClusterCoreDNS')],
    kubeDNSOverrides: [zone('.', 'ClusterCoreDNS'), zone('cluster.local', 'ClusterCoreDNS')],
  },
  artifactStreaming: { enabled: true },
};

describe('the user data of a node, by image family', () => {
  test.each<[name: string, spec: AKSNodeClassSpec, size: string]>([
    ['ubuntu-2204-generation-1', { imageFamily: 'Ubuntu2204' }, 'Standard_D2_v3'],
    ['ubuntu-2404-arm64', { imageFamily: 'Ubuntu2404', maxPods: 60 }, 'Standard_D4pds_v5'],
    ['azure-linux-3-gpu', { imageFamily: 'AzureLinux' }, 'Standard_NC4as_T4_v3'],
    ['azure-linux-3-fips', { imageFamily: 'AzureLinux', fipsMode: 'FIPS' }, 'Standard_D2s_v3'],
    ['ubuntu-2204-every-setting', everySetting, 'Standard_D4s_v3'],
    ['ubuntu-2004-fips', { imageFamily: 'Ubuntu', fipsMode: 'FIPS' }, 'Standard_D2s_v3'],
  ])('%s', async (name, spec, sizeName) => {
    expect(await userDataOf(spec, sizeName)).toBe(goldenScript(name));
  });

  test('fills GPUs with MIG partitions where the class names their profile, and the size can be split', async () => {
    const spec: AKSNodeClassSpec = { imageFamily: 'Ubuntu2204', gpu: { mig: 'MIG3g' } };
    const split = await userDataOf(spec, 'Standard_NC24ads_A100_v4');
    expect(split).toContain("export MIG_NODE='true'");
    expect(split).toContain("export GPU_INSTANCE_PROFILE='MIG3g'");
    expect(await userDataOf(spec, 'Standard_NC4as_T4_v3')).toContain("export MIG_NODE='false'");
  });
});
