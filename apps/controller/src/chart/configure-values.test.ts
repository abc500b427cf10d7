import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAzureOptions } from '@karpenter/azure';
import { parse } from 'yaml';
import { describeWithHelm } from './helm.ts';
import { podEnvironment } from './pod-environment.ts';
import { renderChart } from './rendered.ts';
import { CLIENT, healthy, API_HOST, KUBELET, NETWORK, stubAz, stubKubectl, SUBSCRIPTION, trustIn } from './stub-cluster.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'configure-values');
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'karpenter-az-'));
  mkdirSync(join(home, 'bin'));
});
afterEach(() => rmSync(home, { recursive: true }));

type Answers = Readonly<Record<string, string>>;

/** What the cluster answers; `server` is that of kubectl's context, if it is another one. */
interface Asked {
  readonly answers?: Answers;
  readonly args?: readonly string[];
  readonly server?: string;
}

const run = ({ answers = healthy, args = [], server = `https://${API_HOST}:443` }: Asked) => {
  for (const [name, text] of Object.entries({ az: stubAz(answers), kubectl: stubKubectl(server) })) {
    writeFileSync(join(home, 'bin', name), text, { mode: 0o755 });
  }
  const env = { HOME: home, PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter) };
  return spawnSync('bash', [script, ...args], { env, encoding: 'utf8' });
};

const configure = (answers: Answers, ...args: readonly string[]) => run({ answers, args });

const cluster = ['--resource-group', 'rg', '--name', 'main'];

const valuesOf = (answers: Answers, ...args: readonly string[]): object => {
  const { status, stdout, stderr } = configure(answers, ...cluster, ...args);
  if (status !== 0) throw new Error(stderr);
  return parse(stdout) as object;
};

describe('configure-values', () => {
  test('writes what the cluster says, with the identity that was named', () => {
    expect(valuesOf(healthy, '--identity', 'karpenter')).toEqual({
      azure: {
        azureNodeResourceGroup: 'MC_rg_main_eastus',
        azureSubscriptionId: SUBSCRIPTION,
        armCloud: 'AzureCloud',
        armResourceGroup: 'rg',
        clusterEndpoint: 'https://main-dns-1.hcp.eastus.azmk8s.io:443',
        clusterName: 'main',
        location: 'eastus',
        dnsServiceIp: '10.0.0.10',
        kubeletIdentityClientId: CLIENT,
        networkDataplane: 'cilium',
        networkPlugin: 'azure',
        networkPluginMode: 'overlay',
        networkPolicy: 'cilium',
        nodeIdentities: KUBELET,
        sshPublicKey: "ssh-rsa AAAA o'brien@example",
        vnetGuid: SUBSCRIPTION,
        vnetSubnetId: `${NETWORK}/subnets/aks-subnet`,
      },
      workloadIdentity: { clientId: CLIENT, tenantId: SUBSCRIPTION },
      kubeletBootstrapToken: { value: 'abcdef.0123456789abcdef' },
    });
  });

  test('takes the subnet of the node pool where it has one, and the key and the Secret that are named', () => {
    const file = join(home, 'key.pub');
    writeFileSync(file, 'ssh-ed25519 BBBB\n');
    const subnet = `${NETWORK}/subnets/mine`;
    const answers = { ...healthy, 'agentPoolProfiles[].vnetSubnetId': `${subnet}\n${subnet.toLowerCase()}` };
    expect(valuesOf(answers, '--ssh-public-key', file, '--token-secret', 'joining')).toMatchObject({
      azure: { vnetSubnetId: subnet, sshPublicKey: 'ssh-ed25519 BBBB' },
      kubeletBootstrapToken: { existingSecret: 'joining' },
    });
  });

  test('says an absent network plugin mode as an empty text', () => {
    const answers = { ...healthy, 'networkProfile.networkPluginMode': 'None', 'networkProfile.networkPlugin': 'none' };
    expect(valuesOf(answers)).toMatchObject({ azure: { networkPlugin: 'none', networkPluginMode: '' } });
  });

  test('F12: when az says none of mode, dataplane and policy › each is an empty text, which the controller takes', () => {
    const fields = ['networkPluginMode', 'networkDataplane', 'networkPolicy'];
    const answers = { ...healthy, ...Object.fromEntries(fields.map((field) => [`networkProfile.${field}`, 'none'])) };
    const expected = { networkPluginMode: '', networkDataplane: '', networkPolicy: '' };
    expect(valuesOf(answers)).toMatchObject({ azure: expected });
  });

  test.each<Asked & { readonly what: string; readonly says: RegExp }>([
    { what: 'no identity', says: /warning: without --identity the controller signs in as the managed identity of the node/ },
    {
      what: 'an identity that trusts another account',
      answers: { ...healthy, [trustIn('karpenter:karpenter')]: 'None' },
      args: ['--identity', 'karpenter'],
      says: /warning: karpenter does not trust system:serviceaccount:karpenter:karpenter yet.*federated-credential create .*--issuer https:/,
    },
    {
      what: 'kubelets that have no identity',
      answers: { ...healthy, 'identityProfile.kubeletidentity.resourceId': 'None', 'identityProfile.kubeletidentity.clientId': 'None' },
      says: /warning: main has no identity of its kubelets, and new nodes get none.*--enable-managed-identity/,
    },
    {
      what: 'node pools in several subnets',
      answers: { ...healthy, 'agentPoolProfiles[].vnetSubnetId': `${NETWORK}/subnets/b\n${NETWORK}/subnets/a` },
      says: /warning: nodes could be in several subnets.*subnets\/b, .*subnets\/a/,
    },
    {
      what: 'several networks and none made by AKS',
      answers: { ...healthy, '[].subnets[].id': `${NETWORK}/subnets/gateway\n${NETWORK}/subnets/nodes` },
      says: /warning: nodes could be in several subnets.*subnets\/gateway, .*subnets\/nodes/,
    },
    {
      what: 'a cloud that it does not know',
      answers: { ...healthy, name: 'AzureStack' },
      says: /warning: AzureStack is no cloud that Karpenter knows by its name.*azureEnvironmentFilepath/,
    },
  ])('warns of $what, and writes the values', ({ answers = healthy, args = [], says }) => {
    const { status, stdout, stderr } = configure(answers, ...cluster, ...args);
    expect([status, stderr]).toEqual([0, expect.stringMatching(says)]);
    expect(parse(stdout)).toMatchObject({ azure: { clusterName: 'main' } });
  });

  test('takes the subnet that AKS made for nodes, whatever else is in their group', () => {
    const answers = { ...healthy, '[].subnets[].id': `${NETWORK}/subnets/gateway\n${NETWORK}/subnets/aks-subnet` };
    expect(valuesOf(answers)).toMatchObject({ azure: { vnetSubnetId: `${NETWORK}/subnets/aks-subnet` } });
    expect(configure(answers, ...cluster).stderr).not.toContain('subnet');
  });

  test('names the cloud of the cluster, and takes the public address of a private cluster too', () => {
    const answers = { ...healthy, name: 'AzureChinaCloud', 'privateFqdn || fqdn': 'private.example.cn' };
    expect(valuesOf(answers)).toMatchObject({ azure: { armCloud: 'AzureChinaCloud', clusterEndpoint: 'https://private.example.cn:443' } });
  });

  test('asks kubectl for nothing where the token has a Secret', () => {
    expect(run({ args: [...cluster, '--token-secret', 'joining'], server: 'https://localhost:8443' }).status).toBe(0);
  });

  test('says nothing where the identity trusts the account that is named', () => {
    const answers = { ...healthy, [trustIn('infra:scaler')]: 'ours' };
    expect(configure(answers, ...cluster, '--identity', 'karpenter', '--service-account', 'infra/scaler').stderr).toBe('');
  });

  test.each<Asked & { readonly what: string; readonly says: RegExp }>([
    { what: 'a cluster that is not named', args: ['--name', 'main'], says: /--resource-group and --name must be given/ },
    { what: 'an option that it does not know', args: [...cluster, '--cluster', 'x'], says: /--cluster is not an option/ },
    { what: 'an option without its value', args: [...cluster, '--identity'], says: /--identity needs a value/ },
    { what: 'a cluster that az does not find', answers: {}, says: /ResourceNotFound.*az aks show failed/s },
    { what: 'an account that has no namespace', args: [...cluster, '--service-account', 'karpenter'], says: /expected NAMESPACE\/NAME/ },
    {
      what: 'a cluster that issues no tokens',
      answers: { ...healthy, 'oidcIssuerProfile.issuerUrl': 'None' },
      args: [...cluster, '--identity', 'karpenter'],
      says: /gives pods no token of an identity: az aks update .*--enable-oidc-issuer/,
    },
    {
      what: 'a cluster that puts no tokens into pods',
      answers: { ...healthy, 'securityProfile.workloadIdentity.enabled': 'None' },
      args: [...cluster, '--identity', 'karpenter'],
      says: /gives pods no token of an identity: .*--enable-workload-identity/,
    },
    { what: 'a mode that is none', args: [...cluster, '--provision-mode', 'vmss'], says: /vmss is no provision mode/ },
    {
      what: 'a cluster that provisions nodes itself',
      answers: { ...healthy, 'nodeProvisioningProfile.mode': 'Auto' },
      says: /provisions nodes by itself/,
    },
    { what: 'a network that nodes cannot join', answers: { ...healthy, 'networkProfile.networkPlugin': 'kubenet' }, says: /is kubenet/ },
    {
      what: 'a key that is nowhere',
      answers: { ...healthy, 'linuxProfile.ssh.publicKeys[0].keyData': 'None' },
      says: /id_rsa\.pub cannot be read/,
    },
    {
      what: 'a cluster that is stopped',
      answers: { ...healthy, 'privateFqdn || fqdn': 'None', fqdn: 'None' },
      says: /main has no address: is it stopped\? az aks start/,
    },
    { what: 'a cluster that is nowhere', answers: { ...healthy, location: 'None' }, says: /in which location main is/ },
    {
      what: 'a context without a cluster',
      answers: { ...healthy, fqdn: 'None' },
      server: '',
      says: /kubectl speaks to no server and main is main-dns-1/,
    },
    {
      what: 'the token of another cluster',
      server: 'https://other-dns-1.hcp.eastus.azmk8s.io:443',
      says: /kubectl speaks to other-dns-1\.hcp\.eastus\.azmk8s\.io:443 and main is main-dns-1\.hcp\.eastus\.azmk8s\.io: name its context with --context/,
    },
  ])('refuses $what, and writes nothing', ({ args = cluster, says, ...asked }) => {
    const { status, stdout, stderr } = run({ ...asked, args });
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
    expect(status).not.toBe(0);
  });
});

describeWithHelm('what configure-values wrote', () => {
  test.each(['aksmachineapi', 'aksmachineapiheaderbatch'])('for machines of an agent pool is taken too: %s', (mode) => {
    const values = valuesOf(healthy, '--provision-mode', mode, '--machines-pool', 'machines');
    expect(parseAzureOptions({ env: podEnvironment(renderChart(values)), flags: {} })).toMatchObject({
      ok: true,
      options: { provisioning: { kind: 'aksmachineapi', poolName: 'machines', clusterResourceGroup: 'rg' } },
    });
  });

  test('is all that the chart needs, and the controller takes it', () => {
    const env = podEnvironment(renderChart(valuesOf(healthy, '--identity', 'karpenter')));
    expect(parseAzureOptions({ env, flags: {} })).toMatchObject({
      ok: true,
      options: { dnsServiceIp: '10.0.0.10', networkPolicy: 'cilium' },
    });
  });
});
