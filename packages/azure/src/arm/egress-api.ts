import type { Route, SecurityRule, Subnet } from '@azure/arm-network';
import { AKS_API_VERSION } from './api-versions/api-versions.ts';
import type { ArmClients } from './arm-clients.ts';
import { guardedCalls } from './calls/guarded-calls.ts';
import { jsonCalls } from './calls/json-calls.ts';
import { objectOf, textsIn } from './calls/shape.ts';
import { parseSubnetId } from './calls/subnet-id.ts';

/** How AKS leads the traffic of a cluster out. */
export interface ClusterOutbound {
  /** ARM id of the cluster. */
  readonly clusterId: string;
  /** `loadBalancer`, `userDefinedRouting`, `managedNATGateway`, `none`. */
  readonly type: string;
  readonly hasPrivateApiServer: boolean;
}

/** What decides where the traffic of a subnet goes. Ids are ARM ids. */
export interface SubnetEgress {
  /** Address ranges. */
  readonly prefixes: readonly string[];
  readonly securityGroupId: string | undefined;
  readonly routeTableId: string | undefined;
  readonly hasNatGateway: boolean;
}

export interface RouteTableRead {
  readonly routes: readonly Route[];
  /** Whether a gateway of the network may add routes. */
  readonly hasRoutesOfGateways: boolean;
}

/** What leads traffic out of the cluster's network. Reads only; what does not exist is undefined, every failure an `ArmError`. */
export interface EgressApi {
  /** Of the cluster that AKS made the resource group for; undefined: AKS made it for none. Two calls. */
  clusterOutbound(nodeResourceGroup: string, signal: AbortSignal): Promise<ClusterOutbound | undefined>;
  subnet(id: string, signal: AbortSignal): Promise<SubnetEgress | undefined>;
  /** Of a network security group, those of Azure too. */
  securityRules(groupId: string, signal: AbortSignal): Promise<readonly SecurityRule[] | undefined>;
  routeTable(id: string, signal: AbortSignal): Promise<RouteTableRead | undefined>;
}

/** Resource group and name in an ARM id. */
const groupAndName = (id: string): readonly [group: string, name: string] => {
  const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(id) ?? [];
  return [group, name];
};

const egressOf = ({ addressPrefix, addressPrefixes, networkSecurityGroup, routeTable, natGateway }: Subnet): SubnetEgress => ({
  prefixes: addressPrefixes ?? (addressPrefix === undefined ? [] : [addressPrefix]),
  securityGroupId: networkSecurityGroup?.id,
  routeTableId: routeTable?.id,
  hasNatGateway: natGateway !== undefined,
});

const outboundIn = (clusterId: string, answer: unknown): ClusterOutbound => {
  const { networkProfile, apiServerAccessProfile } = objectOf(objectOf(answer)['properties']);
  return {
    clusterId,
    // What AKS takes where nothing is said.
    type: textsIn(networkProfile)['outboundType'] ?? 'loadBalancer',
    hasPrivateApiServer: objectOf(apiServerAccessProfile)['enablePrivateCluster'] === true,
  };
};

export const egressApi = (clients: ArmClients, clock: { now(): number }): EgressApi => {
  const { find } = guardedCalls(clock);
  const send = jsonCalls(clients);
  const { network, resources, endpoint } = clients;
  return {
    clusterOutbound: async (nodeResourceGroup, abortSignal) => {
      const group = await find(() => resources.resourceGroups.get(nodeResourceGroup, { abortSignal }));
      const clusterId = group?.managedBy;
      if (clusterId === undefined) return undefined;
      const url = `${endpoint}${clusterId}?api-version=${AKS_API_VERSION}`;
      const answer = await find(() => send({ method: 'GET', url }, abortSignal));
      return answer === undefined ? undefined : outboundIn(clusterId, answer);
    },
    subnet: async (id, abortSignal) => {
      const { resourceGroup = '', vnet = '', name = '' } = parseSubnetId(id) ?? {};
      return find(async () => egressOf(await network.subnets.get(resourceGroup, vnet, name, { abortSignal })));
    },
    securityRules: (groupId, abortSignal) => {
      return find(async () => {
        const found = await network.networkSecurityGroups.get(...groupAndName(groupId), { abortSignal });
        return [...(found.securityRules ?? []), ...(found.defaultSecurityRules ?? [])];
      });
    },
    routeTable: (id, abortSignal) => {
      return find(async () => {
        const found = await network.routeTables.get(...groupAndName(id), { abortSignal });
        return { routes: found.routes ?? [], hasRoutesOfGateways: found.disableBgpRoutePropagation !== true };
      });
    },
  };
};
