import { describe, expect, test } from '@jest/globals';
import type { AKSNodeClass } from '../../apis/index.ts';
import { aNodeClass, azureWorld, type WorldOptions } from '../../testing/azure-world.ts';
import { preflight } from '../preflight.ts';
import type { PreflightFinding } from '../report.ts';

type Egress = NonNullable<NonNullable<WorldOptions['network']>['egress']>;

const { signal } = new AbortController();

interface EgressCase {
  readonly nodeClass?: AKSNodeClass;
  /** An action that is taken away. */
  readonly denied?: string;
}

/** What the report says of the way out of nodes, but for what passed. */
const findingsOf = async (egress: Egress, { nodeClass = aNodeClass(), denied }: EgressCase = {}): Promise<readonly PreflightFinding[]> => {
  await using world = await azureWorld({ network: { subnets: { 'aks-subnet': '10.224.0.0/16' }, egress } });
  if (denied !== undefined) world.arm.access.deny({ action: denied });
  const source = { nodePools: [], nodeClasses: [nodeClass], kubernetesVersion: 'v1.33.4' };
  const { findings } = await world.passing(preflight({ ...world.preflightSource(), ...source }, signal));
  return findings.filter(({ check, status }) => check === 'egress' && status !== 'passed');
};

const denyInternet = { name: 'DenyInternet', priority: 200, access: 'Deny', destination: 'Internet' } as const;

describe('what nodes reach', () => {
  test('when all traffic goes to an appliance › a warning, with the rule of an Azure Firewall that AKS needs', async () => {
    const routes = [{ name: 'default', addressPrefix: '0.0.0.0/0', nextHopType: 'VirtualAppliance', nextHopIpAddress: '10.1.0.4' }];
    expect(await findingsOf({ outboundType: 'userDefinedRouting', routes })).toMatchObject([
      {
        status: 'warning',
        message: expect.stringContaining('10.1.0.4 (route default)'),
        remedy: expect.stringMatching(/--source-addresses 10\.224\.0\.0\/16 --fqdn-tags AzureKubernetesService$/),
      },
    ]);
  });

  test('when a gateway may announce the route that the table lacks › a warning', async () => {
    expect(await findingsOf({ outboundType: 'userDefinedRouting', routes: [] })).toMatchObject([
      { status: 'warning', message: expect.stringContaining('a gateway announces') },
    ]);
  });

  test('when the outbound type is none › a warning', async () => {
    expect(await findingsOf({ outboundType: 'none' })).toMatchObject([
      { status: 'warning', remedy: expect.stringMatching(/managedClusters\/demo --query bootstrapProfile$/) },
    ]);
  });

  test('when each subnet has a NAT gateway › nothing is wrong', async () => {
    expect(await findingsOf({ outboundType: 'managedNATGateway', hasNatGateway: true })).toEqual([]);
  });

  test('when nodes have a proxy › a denied port 443 is a warning', async () => {
    const nodeClass = { ...aNodeClass(), spec: { httpProxyConfig: { httpProxy: 'http://proxy.example.com:3128' } } };
    expect(await findingsOf({ rules: [denyInternet] }, { nodeClass })).toMatchObject([
      { status: 'warning', message: expect.stringContaining('a proxy has to reach them') },
    ]);
  });

  test('when the API server is private › rules about the Internet are not about it', async () => {
    const [finding] = await findingsOf({ rules: [denyInternet], hasPrivateApiServer: true });
    expect(finding?.message).toContain('(rule DenyInternet)');
    expect(finding?.message).not.toContain('API server');
  });

  test.each<[string, Egress, string]>([
    ['Microsoft.ContainerService/managedClusters/read', {}, 'the outbound type of the cluster'],
    ['Microsoft.Network/routeTables/read', { routes: [] }, 'the route table'],
    ['Microsoft.Network/networkSecurityGroups/read', {}, 'the security group'],
  ])('when the identity lacks %s › a warning has the role', async (denied, egress, what) => {
    expect(await findingsOf(egress, { denied })).toContainEqual(
      expect.objectContaining({
        status: 'warning',
        message: expect.stringContaining(`may not read ${what}`),
        remedy: expect.stringContaining('--role "Reader"'),
      }),
    );
  });
});
