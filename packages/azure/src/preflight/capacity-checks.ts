import { capacityTypes, firstConflict, type InstanceType, labels, type NodePool, requirementsOf } from '@karpenter/core';
import { hasQuota, type QuotaLeft } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, azureLabelCatalog } from '../apis/index.ts';
import { facetsOf, type InstanceTypeCatalog, instanceTypeCatalog, unavailableOfferings } from '../catalog/index.ts';
import { nodeAddressesOf, subnetIdsOf } from '../machines/index.ts';
import { defaultMaxPodsOf } from '../options/index.ts';
import { staticPricesOf } from '../pricing/index.ts';
import { familyQuotaOf } from '../quota/index.ts';
import { type CheckContext, type CheckedClasses, findingsOf, type Preflight } from './preflight-context.ts';
import type { PreflightFinding } from './report.ts';

/** A subnet for fewer nodes is worth a warning. */
const FEW_NODES = 10;

/** AKS gives a node addresses of a pod subnet in batches. Source: AKS, "Azure CNI with dynamic allocation of IPs". */
const POD_BATCH = 16;

/** What a node takes of a subnet: of that of its pods when it is full of them. */
const addressesOfClass = ({ spec = {} }: AKSNodeClass, { options }: Pick<CheckedClasses, 'options'>, subnetId: string): number => {
  const maxPods = spec.maxPods ?? defaultMaxPodsOf(options);
  if (spec.podSubnetID === subnetId) return Math.ceil(maxPods / POD_BATCH) * POD_BATCH;
  return subnetIdsOf({ spec }, options).includes(subnetId) ? nodeAddressesOf({ spec }, options) : 0;
};

/** The most that a node of any class takes; where no class is known, of the default one. */
const addressesOfNode = (context: CheckedClasses, subnetId: string): number => {
  const { options, nodeClasses } = context;
  const ofClasses = nodeClasses.map((nodeClass) => addressesOfClass(nodeClass, context, subnetId));
  return Math.max(...ofClasses, 0) || nodeAddressesOf({}, options);
};

/** Where classes can join another subnet, a full one keeps no node from coming. */
const isOneOfSeveral = ({ options, nodeClasses }: CheckedClasses, subnetId: string): boolean => {
  const users = nodeClasses.map((nodeClass) => subnetIdsOf(nodeClass, options)).filter((ids) => ids.includes(subnetId));
  return users.length > 0 && users.every((ids) => ids.length > 1);
};

const spaceStatus = (nodes: number, hasOthers: boolean): PreflightFinding['status'] => {
  if (nodes >= FEW_NODES) return 'passed';
  return nodes === 0 && !hasOthers ? 'failed' : 'warning';
};

const moreAddresses = (networkId: string): string => {
  const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(networkId) ?? [];
  return `az network vnet subnet create --resource-group ${group} --vnet-name ${name} --name MORE --address-prefixes RANGE`;
};

const subnetCheck = async (subnetId: string, context: CheckContext & CheckedClasses, signal: AbortSignal): Promise<PreflightFinding> => {
  const at = { check: 'subnets', subject: subnetId } as const;
  const space = (await context.reach.arm.subnetSpaces(subnetId, signal)).get(subnetId.toLowerCase());
  const network = subnetId.replace(/\/subnets\/[^/]+$/i, '');
  if (space === undefined) {
    const remedy = `az network vnet show --ids ${network} --query subnets[].id`;
    return { ...at, status: 'failed', message: 'the subnet does not exist', remedy };
  }
  const perNode = addressesOfNode(context, subnetId);
  const nodes = Math.floor(space.free / perNode);
  const message = `${space.free} of ${space.total} addresses are free: ${nodes} more nodes of ${perNode}`;
  const status = spaceStatus(nodes, isOneOfSeveral(context, subnetId));
  if (status === 'passed') return { ...at, status, message };
  // Its id then goes into `additionalSubnetIDs` of the classes.
  return { ...at, status, message, remedy: moreAddresses(network) };
};

/** Whether each subnet has addresses for nodes. */
export const subnetChecks = async (context: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const found = context.subnetIds.map((subject) =>
    findingsOf({ check: 'subnets', subject, context }, async () => [await subnetCheck(subject, context, signal)]),
  );
  return (await Promise.all(found)).flat();
};

/** Nothing fails here, so nothing is blocked. */
const still = { now: () => 0 };

const catalogOf = async (
  { options, reach }: Pick<CheckContext, 'options' | 'reach'>,
  signal: AbortSignal,
): Promise<InstanceTypeCatalog> => {
  const { location, vmMemoryOverheadPercent } = options;
  const settings = { location, vmMemoryOverheadPercent, clusterLabel: 'preflight' };
  const catalog = instanceTypeCatalog({
    settings,
    prices: staticPricesOf(location),
    unavailable: unavailableOfferings(still),
    clock: still,
  });
  catalog.setSkus(await reach.arm.listSkus(signal));
  return catalog;
};

/** The types that a pool may have, whatever is in stock. */
const typesOfPool = (pool: NodePool, nodeClass: AKSNodeClass, source: { catalog: InstanceTypeCatalog; maxPods: number }) => {
  const { requirements, nodeClassRef } = pool.spec.template.spec;
  const wanted = requirementsOf(requirements, azureLabelCatalog);
  const types = source.catalog.typesFor(facetsOf(nodeClass, source.maxPods));
  return nodeClassRef.name === nodeClass.metadata.name
    ? types.filter((type) => firstConflict(type.requirements, wanted) === undefined)
    : [];
};

const isSpotOnly = (pool: NodePool): boolean => {
  const wanted = requirementsOf(pool.spec.template.spec.requirements, azureLabelCatalog).get(labels.capacityType);
  return wanted?.values.kind === 'in' && [...wanted.values.values].every((value) => value === capacityTypes.spot);
};

interface QuotaQuestion {
  readonly pool: NodePool;
  readonly types: readonly InstanceType[];
  readonly catalog: InstanceTypeCatalog;
  readonly left: QuotaLeft;
}

const REGIONAL = 'cores';
const SPOT = 'lowPriorityCores';

/**
 * Quotas that keep the pool from the smallest size of a family: of the family, the region or spot. And whether any size
 * is available at all.
 */
const exhaustedFor = ({ pool, types, catalog, left }: QuotaQuestion): { readonly families: readonly string[]; readonly isAny: boolean } => {
  const skus = types.flatMap(({ name }) => catalog.skus.get(name) ?? []);
  const isSpot = isSpotOnly(pool);
  const byFamily = Map.groupBy(skus, ({ family }) => family);
  const families = [...byFamily].flatMap(([family, members]) => {
    const needed = isSpot ? [SPOT] : [family, REGIONAL];
    const smallest = Math.min(...members.map(({ vCpus }) => vCpus));
    return needed.find((name) => !hasQuota(left, name, smallest)) ?? [];
  });
  return { families: [...new Set(families)].sort(), isAny: families.length < byFamily.size };
};

const quotaFinding = (
  question: QuotaQuestion,
  { options: { subscriptionId, location } }: Pick<CheckContext, 'options'>,
): PreflightFinding => {
  const at = { check: 'quota', subject: `NodePool ${question.pool.metadata.name}` } as const;
  if (question.types.length === 0) {
    const remedy = `az vm list-skus --location ${location} --resource-type virtualMachines --output table`;
    return { ...at, status: 'failed', message: 'no size of the region meets its requirements and its class', remedy };
  }
  const { families, isAny } = exhaustedFor(question);
  if (families.length === 0) return { ...at, status: 'passed', message: `${question.types.length} sizes, quota for each family` };
  const shown = `${families.slice(0, 5).join(', ')}${families.length > 5 ? ` and ${families.length - 5} more` : ''}`;
  const scope = `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}`;
  const [name = ''] = families;
  const type = name === SPOT ? 'lowPriority' : 'dedicated';
  // The limit is the whole of it, used vCPUs too: a number here could be less than there is.
  const remedy = `az quota update --resource-name ${name} --scope ${scope} --limit-object value=NEW_LIMIT --resource-type ${type}`;
  return { ...at, status: isAny ? 'warning' : 'failed', message: `no quota is left of ${shown}`, remedy };
};

/** Whether each pool has quota for a size of each family that it allows. */
export const quotaChecks = (context: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> =>
  findingsOf({ check: 'quota', subject: context.options.location, context }, async () => {
    const { nodePools, nodeClasses, options, reach } = context;
    const left = familyQuotaOf(await reach.arm.listUsages(signal));
    if (nodePools.length === 0) {
      const message = `${left.size} quotas are known; no NodePool was given to compare them with`;
      return [{ check: 'quota', subject: options.location, status: 'warning', message }];
    }
    const catalog = await catalogOf(context, signal);
    const source = { catalog, maxPods: defaultMaxPodsOf(options) };
    return nodePools.map((pool) => {
      const types = nodeClasses.flatMap((nodeClass) => typesOfPool(pool, nodeClass, source));
      return quotaFinding({ pool, types, catalog, left }, context);
    });
  });
