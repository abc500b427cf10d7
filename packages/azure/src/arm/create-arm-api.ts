import type { QueryRequestOptions } from '@azure/arm-resourcegraph';
import type { Clock } from '@karpenter/core/controllers';
import type { ArmApi, GraphRow } from './arm-api.ts';
import type { ArmClients } from './arm-clients.ts';
import { armErrorOf } from './classify.ts';
import { followOperation, type Poller } from './follow-operation.ts';
import { graphRowsOf } from './graph-rows.ts';
import { fetchRetailPrices } from './retail-prices.ts';
import { parseSubnetId, type SubnetId } from './subnet-id.ts';

export interface ArmScope {
  readonly subscriptionId: string;
  readonly nodeResourceGroup: string;
  readonly location: string;
  /** Absent: there is no price API. */
  readonly retailPricesUrl: string | undefined;
  readonly caPem?: string | undefined;
}

/** Machines take long, interfaces and disks a moment. */
const VM_POLL_MS = 2000;
const QUICK_POLL_MS = 200;

interface Context {
  readonly clients: ArmClients;
  readonly scope: ArmScope;
  readonly clock: Clock;
  /** Runs a call; what the SDK throws becomes an `ArmError`. */
  readonly call: <T>(run: () => Promise<T>) => Promise<T>;
  /** As `call`; what is not there is undefined. */
  readonly find: <T>(run: () => Promise<T>) => Promise<T | undefined>;
  /** Starts an operation and follows it to its end; one on something that is gone has ended. */
  readonly complete: (start: () => Poller, signal: AbortSignal) => Promise<void>;
}

const collect = async <T>(pages: AsyncIterable<T>): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
};

const contextOf = (clients: ArmClients, scope: ArmScope, clock: Clock): Context => {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw armErrorOf(error, clock.now()) ?? error;
    }
  };
  const find = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await run();
    } catch (error) {
      const failure = armErrorOf(error, clock.now());
      if (failure?.code === 'not-found') return undefined;
      throw failure ?? error;
    }
  };
  const complete = async (start: () => Poller, signal: AbortSignal): Promise<void> => {
    await call(async () => {
      const poller = start();
      await poller.submitted();
      await followOperation(poller, { clock, signal, firstDelayMs: QUICK_POLL_MS });
    });
  };
  return { clients, scope, clock, call, find, complete };
};

type Machines = Pick<ArmApi, 'getVm' | 'putVm' | 'deleteVm'>;

const machinesOf = ({ clients, scope, clock, call, find }: Context): Machines => ({
  getVm: (name, signal) => find(() => clients.compute.virtualMachines.get(scope.nodeResourceGroup, name, { abortSignal: signal })),
  putVm: (name, body, signal) =>
    call(async () => {
      const poller: Poller = clients.compute.virtualMachines.createOrUpdate(scope.nodeResourceGroup, name, body, { abortSignal: signal });
      await poller.submitted();
      return { finish: (until) => call(() => followOperation(poller, { clock, signal: until, firstDelayMs: VM_POLL_MS })) };
    }),
  deleteVm: async (name, signal) => {
    await find(() => {
      const options = { abortSignal: signal, forceDeletion: true };
      return clients.compute.virtualMachines.delete(scope.nodeResourceGroup, name, options).submitted();
    });
  },
});

type Parts = Pick<ArmApi, 'getNic' | 'putNic' | 'deleteNic' | 'listLooseDisks' | 'deleteDisk'>;

const partsOf = ({ clients, scope, call, find, complete }: Context): Parts => ({
  getNic: (name, signal) => find(() => clients.network.networkInterfaces.get(scope.nodeResourceGroup, name, { abortSignal: signal })),
  putNic: (name, body, signal) =>
    complete(() => clients.network.networkInterfaces.createOrUpdate(scope.nodeResourceGroup, name, body, { abortSignal: signal }), signal),
  deleteNic: async (name, signal) => {
    await find(() => clients.network.networkInterfaces.delete(scope.nodeResourceGroup, name, { abortSignal: signal }).submitted());
  },
  listLooseDisks: (signal) =>
    call(async () => {
      const disks = await collect(clients.compute.disks.listByResourceGroup(scope.nodeResourceGroup, { abortSignal: signal }));
      return disks
        .filter((disk) => disk.managedBy === undefined && disk.diskState !== 'Attached')
        .map((disk) => ({ name: disk.name ?? '', createdAtMs: disk.timeCreated?.getTime() ?? 0 }));
    }),
  deleteDisk: async (name, signal) => {
    await find(() => clients.compute.disks.delete(scope.nodeResourceGroup, name, { abortSignal: signal }).submitted());
  },
});

type Network = Pick<ArmApi, 'listLoadBalancers' | 'listNetworkSecurityGroups' | 'hasSubnet' | 'vnetGuidOf'>;

const networkOf = ({ clients, scope, call, find }: Context): Network => {
  const withSubnet = async <T>(id: string, run: (subnet: SubnetId) => Promise<T>): Promise<T | undefined> => {
    const subnet = parseSubnetId(id);
    return subnet === undefined ? undefined : find(() => run(subnet));
  };
  return {
    listLoadBalancers: (abortSignal) => call(() => collect(clients.network.loadBalancers.list(scope.nodeResourceGroup, { abortSignal }))),
    listNetworkSecurityGroups: (abortSignal) =>
      call(() => collect(clients.network.networkSecurityGroups.list(scope.nodeResourceGroup, { abortSignal }))),
    hasSubnet: async (id, abortSignal) => {
      const found = await withSubnet(id, ({ resourceGroup, vnet, name }) =>
        clients.network.subnets.get(resourceGroup, vnet, name, { abortSignal }),
      );
      return found !== undefined;
    },
    vnetGuidOf: async (id, abortSignal) => {
      const found = await withSubnet(id, ({ resourceGroup, vnet }) =>
        clients.network.virtualNetworks.get(resourceGroup, vnet, { abortSignal }),
      );
      return found?.resourceGuid;
    },
  };
};

type Region = Pick<ArmApi, 'listSkus' | 'listUsages' | 'listImageVersions' | 'listRetailPrices'>;

const regionOf = ({ clients, scope, call }: Context): Region => ({
  listSkus: (abortSignal) =>
    call(() => collect(clients.compute.resourceSkus.list({ filter: `location eq '${scope.location}'`, abortSignal }))),
  listUsages: (abortSignal) => call(() => collect(clients.compute.usage.list(scope.location, { abortSignal }))),
  listImageVersions: ({ gallery, name }, abortSignal) =>
    call(async () => {
      const versions = await collect(clients.compute.communityGalleryImageVersions.list(scope.location, gallery, name, { abortSignal }));
      return versions.map((version) => ({ name: version.name ?? '', publishedAtMs: version.publishedDate?.getTime() ?? 0 }));
    }),
  listRetailPrices: async (signal) => {
    const { retailPricesUrl: endpoint, location, caPem } = scope;
    return endpoint === undefined ? undefined : call(() => fetchRetailPrices({ endpoint, location, caPem }, signal));
  },
});

const graphOf = ({ clients, scope, call }: Context): Pick<ArmApi, 'queryGraph'> => ({
  queryGraph: (query, abortSignal) =>
    call(async () => {
      const rows: GraphRow[] = [];
      let skipToken: string | undefined;
      do {
        const options: QueryRequestOptions = { resultFormat: 'objectArray', ...(skipToken !== undefined && { skipToken }) };
        const page = await clients.graph.resources({ subscriptions: [scope.subscriptionId], query, options }, { abortSignal });
        rows.push(...graphRowsOf(page.data));
        skipToken = page.skipToken;
      } while (skipToken !== undefined && skipToken !== '');
      return rows;
    }),
});

/** Azure by the SDK's clients. */
export const createArmApi = (clients: ArmClients, scope: ArmScope, clock: Clock): ArmApi => {
  const context = contextOf(clients, scope, clock);
  return { ...machinesOf(context), ...partsOf(context), ...networkOf(context), ...regionOf(context), ...graphOf(context) };
};
