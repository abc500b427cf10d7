import type { SecurityRule } from '@azure/arm-network';
import { ArmError } from '../../arm/arm-error.ts';
import type { ClusterOutbound, SubnetEgress } from '../../arm/egress-api.ts';
import { isClusterSecurityGroup, subnetIdsOf } from '../../machines/index.ts';
import { assignRole, type CheckContext, type CheckedClasses, findingsOf } from '../preflight-context.ts';
import type { PreflightFinding } from '../report.ts';
import { byPriority, type DeniedTarget, denialOf, egressTargets, rulesForHttps } from './outbound-rules.ts';
import { routeVerdict } from './route-finding.ts';

const check = 'egress' as const;

type Findings = readonly PreflightFinding[];

interface Reading {
  /** ARM id of what is read, or of its resource group. */
  readonly subject: string;
  /** For people. */
  readonly what: string;
  readonly context: CheckContext;
}

/** As `findingsOf`, but what the identity may not read is a warning: the controller itself does not need it. */
const optional = ({ subject, what, context }: Reading, run: () => Promise<Findings>): Promise<Findings> =>
  findingsOf({ check, subject, context }, async () => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ArmError) || error.code !== 'forbidden') throw error;
      const message = `the identity of the controller may not read ${what}: whether it keeps nodes from the API server is not known`;
      return [{ check, subject, status: 'warning', message, remedy: assignRole(context.principal, 'Reader', subject) }];
    }
  });

/** With these AKS makes no way out: nodes need registries and mirrors inside the network. */
const ISOLATED: ReadonlySet<string> = new Set(['none', 'block']);

const clusterFinding = ({ clusterId, type }: ClusterOutbound): PreflightFinding => {
  const at = { check, subject: clusterId } as const;
  if (!ISOLATED.has(type)) return { ...at, status: 'passed', message: `outbound type ${type}` };
  const message = `the outbound type is ${type}: nodes get images and packages only from a registry inside the network`;
  return { ...at, status: 'warning', message, remedy: `az aks show --ids ${clusterId} --query bootstrapProfile` };
};

/** ARM ids without those that differ in case only. */
const uniqueIds = (ids: readonly string[]): readonly string[] => [...new Map(ids.map((id) => [id.toLowerCase(), id])).values()];

/** Subnets of nodes. Where no class is known, that of the options. */
const nodeSubnetIds = ({ options, nodeClasses }: CheckedClasses): readonly string[] =>
  uniqueIds([options.vnetSubnetId, ...nodeClasses.flatMap((nodeClass) => subnetIdsOf(nodeClass, options))]);

/** Whether nodes of the subnet reach the outside by a proxy only. */
const isProxied = ({ options, nodeClasses }: CheckedClasses, subnetId: string): boolean => {
  const users = nodeClasses.filter((each) => subnetIdsOf(each, options).some((id) => id.toLowerCase() === subnetId.toLowerCase()));
  return users.length > 0 && users.every(({ spec }) => spec?.httpProxyConfig !== undefined);
};

/** ARM ids of the security groups that interfaces get in a network of the user. */
const securityGroupsOfNodes = async ({ reach }: Pick<CheckContext, 'reach'>, signal: AbortSignal): Promise<readonly string[]> =>
  (await reach.arm.listNetworkSecurityGroups(signal)).flatMap(({ id, name = '' }) => (isClusterSecurityGroup(name) ? (id ?? []) : []));

/** Priorities that a rule of a user may have. */
const [FIRST_PRIORITY, LEAST_PRIORITY] = [100, 4096];

/** The highest priority number before a rule that no other rule has. */
const freePriorityBefore = (rule: SecurityRule, rules: readonly SecurityRule[]): string => {
  const taken = new Set(rules.map(({ priority }) => priority));
  const { priority: denied = LEAST_PRIORITY } = rule;
  for (let priority = Math.min(denied - 1, LEAST_PRIORITY); priority >= FIRST_PRIORITY; priority -= 1) {
    if (!taken.has(priority)) return String(priority);
  }
  return 'PRIORITY';
};

interface Denials {
  readonly groupId: string;
  readonly rules: readonly SecurityRule[];
  readonly denied: readonly DeniedTarget[];
}

const allowing = ({ groupId, rules, denied }: Denials): string => {
  const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(groupId) ?? [];
  const [first = {}] = denied.map(({ rule }) => rule).toSorted(byPriority);
  const tags = [...new Set(denied.map(({ target }) => target.tags[0]))].join(' ');
  return (
    `az network nsg rule create --resource-group ${group} --nsg-name ${name} --name AllowAksOutbound --direction Outbound --access Allow ` +
    `--priority ${freePriorityBefore(first, rules)} --protocol Tcp --destination-port-ranges 443 --destination-address-prefixes ${tags}`
  );
};

const rulesFinding = (denials: Denials, subject: string, isCertain: boolean): PreflightFinding => {
  const { denied, groupId } = denials;
  const at = { check, subject } as const;
  if (denied.length === 0) return { ...at, status: 'passed', message: `${groupId} lets nodes reach what they need on port 443` };
  const names = denied.map(({ target }) => target.name).join(', ');
  const ruleNames = [...new Set(denied.map(({ rule }) => rule.name ?? ''))].join(', ');
  const message = `${groupId} denies nodes port 443 of ${names} (rule ${ruleNames})`;
  const remedy = allowing(denials);
  if (isCertain && denied.some(({ isUnsure }) => !isUnsure)) return { ...at, status: 'failed', message, remedy };
  const unless = isCertain ? ', unless their addresses are among those that rules before it allow' : ', and a proxy has to reach them';
  return { ...at, status: 'warning', message: `${message}${unless}`, remedy };
};

/** What all subnets have in common. */
interface Surroundings {
  readonly context: CheckContext & CheckedClasses;
  readonly outbound: ClusterOutbound | undefined;
  /** ARM ids of security groups that hold for nodes of every subnet. */
  readonly securityGroups: readonly string[];
}

const rulesCheck = (
  { subnetId, subnet, groupId }: { readonly subnetId: string; readonly subnet: SubnetEgress; readonly groupId: string },
  { context, outbound }: Surroundings,
  signal: AbortSignal,
): Promise<Findings> =>
  optional({ subject: groupId, what: 'the security group', context }, async () => {
    const rules = (await context.reach.egress.securityRules(groupId, signal)) ?? [];
    const ofSubnet = rulesForHttps(rules, subnet.prefixes[0] ?? '');
    const targets = egressTargets(context.options.location, outbound?.hasPrivateApiServer === true);
    const denied = targets.flatMap((target) => denialOf(target, ofSubnet) ?? []);
    return [rulesFinding({ groupId, rules, denied }, subnetId, !isProxied(context, subnetId))];
  });

const subnetChecks = async (subnetId: string, around: Surroundings, signal: AbortSignal): Promise<Findings> => {
  const { context, outbound, securityGroups } = around;
  const { egress } = context.reach;
  const subnet = await egress.subnet(subnetId, signal);
  // The check of subnets says so.
  if (subnet === undefined) return [];
  const { routeTableId, securityGroupId } = subnet;
  const routes = optional({ subject: routeTableId ?? subnetId, what: 'the route table', context }, async () => {
    const table = routeTableId === undefined ? undefined : await egress.routeTable(routeTableId, signal);
    return [{ check, subject: subnetId, ...routeVerdict({ subnetId, subnet, table, outbound }) }];
  });
  const groups = [...(securityGroupId === undefined ? [] : [securityGroupId]), ...securityGroups];
  const rules = uniqueIds(groups).map((groupId) => rulesCheck({ subnetId, subnet, groupId }, around, signal));
  return (await Promise.all([routes, ...rules])).flat();
};

/** What keeps nodes from reaching the API server, the registry and Azure: outbound type, routes, security groups. */
export const egressChecks = async (context: CheckContext & CheckedClasses, signal: AbortSignal): Promise<Findings> => {
  const { options, reach } = context;
  const subject = `/subscriptions/${options.subscriptionId}/resourceGroups/${options.nodeResourceGroup}`;
  let outbound: ClusterOutbound | undefined;
  let securityGroups: readonly string[] = [];
  const ofCluster = await optional({ subject, what: 'the outbound type of the cluster', context }, async () => {
    outbound = await reach.egress.clusterOutbound(options.nodeResourceGroup, signal);
    return outbound === undefined ? [] : [clusterFinding(outbound)];
  });
  const ofGroups = await optional({ subject, what: 'the security groups of nodes', context }, async () => {
    securityGroups = await securityGroupsOfNodes(context, signal);
    return [];
  });
  const around = { context, outbound, securityGroups };
  const ofSubnets = nodeSubnetIds(context).map((id) => findingsOf({ check, subject: id, context }, () => subnetChecks(id, around, signal)));
  return [...ofCluster, ...ofGroups, ...(await Promise.all(ofSubnets)).flat()];
};
