import type { Route } from '@azure/arm-network';
import type { ClusterOutbound, RouteTableRead, SubnetEgress } from '../../arm/egress-api.ts';
import type { PreflightStatus } from '../report.ts';

/** Where the traffic of a subnet goes, as far as it was read. */
export interface SubnetRoutes {
  readonly subnetId: string;
  readonly subnet: SubnetEgress;
  /** Undefined: the subnet has no route table. */
  readonly table: RouteTableRead | undefined;
  /** Undefined: not known. */
  readonly outbound: ClusterOutbound | undefined;
}

type Verdict = { readonly message: string } & (
  { readonly status: Exclude<PreflightStatus, 'failed'>; readonly remedy?: string } | { readonly status: 'failed'; readonly remedy: string }
);

const inGroup = (id: string): string => {
  const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(id) ?? [];
  return `--resource-group ${group} --route-table-name ${name}`;
};

/** Source: AKS, "Limit network traffic with Azure Firewall". */
const allowOnFirewall = (sources: readonly string[]): string =>
  'az network firewall application-rule create --resource-group GROUP --firewall-name NAME --collection-name aks --name aks --priority 100 ' +
  `--action Allow --protocols http=80 https=443 --source-addresses ${sources.join(' ')} --fqdn-tags AzureKubernetesService`;

const byRoute = ({ name = '', nextHopType, nextHopIpAddress }: Route, { subnet }: SubnetRoutes): Verdict => {
  switch (nextHopType) {
    case 'None': {
      const remedy = `az network route-table route delete ${inGroup(subnet.routeTableId ?? '')} --name ${name}`;
      return { status: 'failed', message: `the route ${name} drops all that leaves the network`, remedy };
    }
    case 'VirtualAppliance': {
      const message = `all traffic goes to ${nextHopIpAddress ?? 'an appliance'} (route ${name}), which has to let nodes reach what AKS requires`;
      return { status: 'warning', message, remedy: allowOnFirewall(subnet.prefixes) };
    }
    case 'VirtualNetworkGateway': {
      const message = `all traffic goes to a gateway (route ${name}); firewalls behind it have to let nodes reach what AKS requires`;
      return { status: 'warning', message };
    }
    default:
      return { status: 'passed', message: `traffic leaves by the route ${name}` };
  }
};

/** AKS makes no other way out with `userDefinedRouting`. */
const withoutRoute = ({ subnetId, subnet, table }: SubnetRoutes): Verdict => {
  const hop = '--name default --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address FIREWALL';
  if (subnet.routeTableId === undefined) {
    const remedy = `az network vnet subnet update --ids ${subnetId} --route-table ROUTE_TABLE`;
    return {
      status: 'failed',
      message: 'the cluster leaves by routes of the user (userDefinedRouting), and the subnet has no route table',
      remedy,
    };
  }
  const remedy = `az network route-table route create ${inGroup(subnet.routeTableId)} ${hop}`;
  const message = 'the cluster leaves by routes of the user (userDefinedRouting), and the route table has none for 0.0.0.0/0';
  if (table?.hasRoutesOfGateways === false) return { status: 'failed', message, remedy };
  return { status: 'warning', message: `${message}: nodes depend on routes that a gateway announces`, remedy };
};

/** Where the traffic of a subnet leaves, and what keeps it from leaving. */
export const routeVerdict = (source: SubnetRoutes): Verdict => {
  const { subnetId, subnet, table, outbound } = source;
  const route = table?.routes.find(({ addressPrefix }) => addressPrefix === '0.0.0.0/0');
  if (route !== undefined) return byRoute(route, source);
  if (outbound?.type === 'userDefinedRouting') return withoutRoute(source);
  if (subnet.hasNatGateway) return { status: 'passed', message: 'traffic leaves by the NAT gateway of the subnet' };
  if (/^(managed|userAssigned)NATGateway$/i.test(outbound?.type ?? '')) {
    const remedy = `az network vnet subnet update --ids ${subnetId} --nat-gateway NAT_GATEWAY`;
    return { status: 'failed', message: `the cluster leaves by NAT gateways (${outbound?.type}), and the subnet has none`, remedy };
  }
  return { status: 'passed', message: 'no route, and no NAT gateway of the subnet, leads traffic elsewhere' };
};
