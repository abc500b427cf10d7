import type { Disk } from '@azure/arm-compute';
import type { QueryRequestOptions } from '@azure/arm-resourcegraph';
import type { Clock } from '@karpenter/runtime';
import type { GraphRow, ArmApi } from './arm-api.ts';
import { objectOf, textsIn, textsOf } from './calls/shape.ts';
import type { ArmClients } from './arm-clients.ts';
import { type ArmScope, type CallContext, callContext } from './calls/call-context.ts';
import { extensionCalls } from './calls/extension-calls.ts';
import { communityGalleryOf } from '../images/index.ts';
import { nicCalls } from './calls/nic-calls.ts';
import { fetchNodeImages } from './calls/node-images.ts';
import { itemsOfPages, pagesOf } from './calls/pages-of.ts';
import { fetchRetailPrices } from './calls/retail-prices.ts';
import { parseSubnetId, type SubnetId } from './calls/subnet-id.ts';
import { reservationCalls } from './calls/reservation-calls.ts';
import { fetchSpotScores } from './calls/spot-scores.ts';
import { vmCalls } from './calls/vm-calls.ts';
import type { Usage } from '../quota/index.ts';
import { type ResourceSku, skuOf } from '../skus/index.ts';

/**
 * A row of an answer in the form `objectArray`; undefined for what has no id and name. Names are in lower case, so that
 * they compare.
 */
const graphRowOf = (item: unknown): GraphRow | undefined => {
  const { id, name, tags, properties, zones } = objectOf(item);
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  return { id, name: name.toLowerCase(), tags: textsIn(tags), properties: objectOf(properties), zones: textsOf(zones) };
};

const imageIdOf = ({ osType, creationData }: Disk): string | undefined => {
  if (osType === undefined) return undefined;
  const image = creationData?.galleryImageReference ?? creationData?.imageReference;
  return image?.communityGalleryImageId ?? image?.sharedGalleryImageId ?? image?.id;
};

type Disks = Pick<ArmApi, 'listLooseDisks' | 'deleteDisk' | 'hasDiskEncryptionSet'>;

const ENCRYPTION_SET = /\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Compute\/diskEncryptionSets\/([^/]+)$/i;

const disksOf = ({ clients, scope, call, find }: CallContext): Disks => ({
  listLooseDisks: (signal) =>
    call(async () => {
      const disks = await Array.fromAsync(clients.compute.disks.listByResourceGroup(scope.nodeResourceGroup, { abortSignal: signal }));
      return disks
        .filter((disk) => disk.managedBy === undefined && disk.diskState !== 'Attached')
        .map((disk) => ({ name: disk.name ?? '', createdAtMs: disk.timeCreated?.getTime() ?? 0, imageId: imageIdOf(disk) }));
    }),
  hasDiskEncryptionSet: async (id, abortSignal) => {
    const [, group = '', name = ''] = ENCRYPTION_SET.exec(id) ?? [];
    return (await find(() => clients.compute.diskEncryptionSets.get(group, name, { abortSignal }))) !== undefined;
  },
  deleteDisk: async (name, signal) => {
    await find(() => clients.compute.disks.delete(scope.nodeResourceGroup, name, { abortSignal: signal }).submitted());
  },
});

type Network = Pick<ArmApi, 'listLoadBalancers' | 'listNetworkSecurityGroups' | 'subnetPrefixes' | 'subnetSpaces' | 'vnetGuidOf'>;

const networkOf = ({ clients, scope, call, find }: CallContext): Network => {
  const withSubnet = async <T>(id: string, run: (subnet: SubnetId) => Promise<T>): Promise<T | undefined> => {
    const subnet = parseSubnetId(id);
    return subnet === undefined ? undefined : find(() => run(subnet));
  };
  return {
    listLoadBalancers: (abortSignal) =>
      call(() => Array.fromAsync(clients.network.loadBalancers.list(scope.nodeResourceGroup, { abortSignal }))),
    listNetworkSecurityGroups: (abortSignal) =>
      call(() => Array.fromAsync(clients.network.networkSecurityGroups.list(scope.nodeResourceGroup, { abortSignal }))),
    subnetPrefixes: async (id, abortSignal) => {
      const found = await withSubnet(id, ({ resourceGroup, vnet, name }) =>
        clients.network.subnets.get(resourceGroup, vnet, name, { abortSignal }),
      );
      return found && (found.addressPrefixes ?? (found.addressPrefix === undefined ? [] : [found.addressPrefix]));
    },
    subnetSpaces: async (id, abortSignal) => {
      const spaces = await withSubnet(id, async ({ resourceGroup, vnet }) => {
        const usages = await Array.fromAsync(clients.network.virtualNetworks.listUsage(resourceGroup, vnet, { abortSignal }));
        return usages.map(
          ({ id: subnet = '', limit: total = 0, currentValue: used = 0 }) => [subnet.toLowerCase(), { total, free: total - used }] as const,
        );
      });
      return new Map(spaces);
    },
    vnetGuidOf: async (id, abortSignal) => {
      const found = await withSubnet(id, ({ resourceGroup, vnet }) =>
        clients.network.virtualNetworks.get(resourceGroup, vnet, { abortSignal }),
      );
      return found?.resourceGuid;
    },
  };
};

/** The record of a size, if it can be read as one. */
const sizeIn = (item: unknown, location: string): ResourceSku | undefined => {
  const record: ResourceSku = objectOf(item);
  try {
    skuOf(record, location);
    return record;
  } catch {
    return undefined;
  }
};

const usageIn = (item: unknown): Usage | undefined => {
  const { name, limit, currentValue } = objectOf(item);
  const { value } = objectOf(name);
  if (typeof value !== 'string' || typeof limit !== 'number') return undefined;
  return { name: { value }, limit, currentValue: typeof currentValue === 'number' ? currentValue : 0 };
};

type Region = Pick<ArmApi, 'listSkus' | 'listUsages' | 'spotPlacementScores' | 'listImageVersions' | 'listNodeImages' | 'listRetailPrices'>;

const regionOf = ({ clients, scope, call, readAll }: CallContext): Region => ({
  listSkus: (abortSignal) =>
    call(async () => {
      const records = await Array.fromAsync(clients.compute.resourceSkus.list({ filter: `location eq '${scope.location}'`, abortSignal }));
      return readAll('sizes', records, (item) => sizeIn(item, scope.location));
    }),
  listUsages: (abortSignal) =>
    call(async () => readAll('quota', await Array.fromAsync(clients.compute.usage.list(scope.location, { abortSignal })), usageIn)),
  spotPlacementScores: (sizes, signal) => call(() => fetchSpotScores({ clients, scope }, sizes, signal)),
  listImageVersions: (image, abortSignal) =>
    call(async () => {
      const gallery = communityGalleryOf(image);
      const versions = await Array.fromAsync(
        clients.compute.communityGalleryImageVersions.list(scope.location, gallery, image.name, { abortSignal }),
      );
      return versions.map((version) => ({ name: version.name ?? '', publishedAtMs: version.publishedDate?.getTime() ?? 0 }));
    }),
  listNodeImages: (signal) => call(() => fetchNodeImages({ clients, scope, readAll }, signal)),
  listRetailPrices: async (signal) => {
    const { retailPricesUrl: endpoint, location, caPem } = scope;
    return endpoint === undefined ? undefined : call(() => fetchRetailPrices({ endpoint, location, caPem, readAll }, signal));
  },
});

const graphOf = ({ clients, scope, call, readAll }: CallContext): Pick<ArmApi, 'queryGraph'> => ({
  queryGraph: (query, abortSignal) =>
    call(async () => {
      const ask = async (skipToken: string | undefined) => {
        const options: QueryRequestOptions = { resultFormat: 'objectArray', ...(skipToken !== undefined && { skipToken }) };
        const page = await clients.graph.resources({ subscriptions: [scope.subscriptionId], query, options }, { abortSignal });
        return { data: page.data as unknown, next: page.skipToken || undefined };
      };
      const pages = pagesOf({ source: 'Resource Graph', first: undefined, ask });
      return itemsOfPages(pages, ({ data }) => readAll('rows of Resource Graph', data, graphRowOf));
    }),
});

/** Azure by the SDK's clients. */
export const createArmApi = (clients: ArmClients, scope: ArmScope, clock: Clock): ArmApi => {
  const context = callContext(clients, scope, clock);
  return {
    ...vmCalls(context),
    ...nicCalls(context),
    ...extensionCalls(context),
    ...disksOf(context),
    ...reservationCalls(context),
    ...networkOf(context),
    ...regionOf(context),
    ...graphOf(context),
  };
};
