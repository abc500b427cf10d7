import type { NodePool } from '@karpenter/core';
import type { AKSNodeClass } from '../apis/index.ts';
import { ArmError } from '../arm/arm-error.ts';
import { imageDiscovery } from '../controllers/index.ts';
import { subnetIdsOf } from '../machines/index.ts';
import type { IdentityVariables } from '../arm/sign-in/credential.ts';
import { accessChecks } from './access-checks.ts';
import { agentPoolChecks } from './agent-pool-check.ts';
import { quotaChecks, subnetChecks } from './capacity-checks.ts';
import { egressChecks } from './egress/egress-checks.ts';
import { assignRole, type CheckContext, findingsOf, type Preflight } from './preflight-context.ts';
import { type Reach, reachOf, type ReachSource } from './reach.ts';
import { type PreflightFinding, type PreflightReport, reportOf } from './report.ts';
import { serviceChecks } from './service-checks.ts';
import { subscriptionChecks } from './subscription-checks.ts';

export interface PreflightSource extends ReachSource {
  readonly nodePools: readonly NodePool[];
  readonly nodeClasses: readonly AKSNodeClass[];
  /** `v1.34.2`; undefined: the cluster was not asked, and images are searched for by the newest rules. */
  readonly kubernetesVersion: string | undefined;
}

/** The oldest Kubernetes version whose image families are all known here. */
const ANY_VERSION = '1.34.0';
/** Entra refuses tokens beyond five minutes. */
const MOST_SKEW_MS = 300_000;
const SOME_SKEW_MS = 30_000;

const classesOr = (classes: readonly AKSNodeClass[]): readonly AKSNodeClass[] =>
  classes.length > 0 ? classes : [{ apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name: 'default' } }];

/** What gives the controller a token, by the way in which it signs in. */
const signInRemedy = ({ AZURE_FEDERATED_TOKEN_FILE, AZURE_CLIENT_SECRET, AZURE_CLIENT_ID = 'CLIENT_ID' }: IdentityVariables): string => {
  if (AZURE_FEDERATED_TOKEN_FILE !== undefined) return 'az identity federated-credential list --resource-group GROUP --identity-name NAME';
  return AZURE_CLIENT_SECRET === undefined ? 'az login' : `az ad app credential reset --id ${AZURE_CLIENT_ID}, for AZURE_CLIENT_SECRET`;
};

const signInFailure = (
  subject: string,
  { code, status, message }: ArmError,
  { options, principal, signInWith }: Pick<Preflight, 'options' | 'principal' | 'signInWith'>,
): PreflightFinding => {
  const at = { check: 'sign-in', subject, message } as const;
  switch (code) {
    case 'throttled':
    case 'server':
      return { ...at, status: 'unknown' };
    case 'network':
      return { ...at, check: 'egress', status: 'failed', remedy: `curl --head ${subject}, on a node of the controller` };
    case 'forbidden': {
      const scope = `/subscriptions/${options.subscriptionId}/resourceGroups/${options.nodeResourceGroup}`;
      const isSignedIn = status === 403;
      return { ...at, status: 'failed', remedy: isSignedIn ? assignRole(principal, 'Reader', scope) : signInRemedy(signInWith) };
    }
    case 'refused':
    case 'not-found':
      return { ...at, status: 'failed', remedy: `az account show --subscription ${options.subscriptionId}` };
  }
};

/** Reads what the node resource group holds: the first call that needs token, network and group. */
const signInChecks = async (context: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const { options, reach } = context;
  const { nodeResourceGroup } = options;
  const at = { check: 'sign-in', subject: reach.environment.resourceManagerEndpoint } as const;
  try {
    const held = await reach.subscription.listResources(nodeResourceGroup, signal);
    if (held === undefined) {
      const message = `signed in, but there is no resource group ${nodeResourceGroup}`;
      const remedy = 'az aks show --query nodeResourceGroup, for --node-resource-group';
      return [{ ...at, status: 'failed', message, remedy }];
    }
    return [{ ...at, status: 'passed', message: `signed in; ${nodeResourceGroup} holds ${held.length} resources` }];
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    return [signInFailure(at.subject, error, context)];
  }
};

const clockCheck = ({ skewMs, environment }: Reach): PreflightFinding => {
  const at = { check: 'clock', subject: environment.resourceManagerEndpoint } as const;
  const skew = skewMs();
  if (skew === undefined) return { ...at, status: 'unknown', message: 'Azure did not say what time it is' };
  const seconds = Math.round(Math.abs(skew) / 1000);
  const status = Math.abs(skew) > MOST_SKEW_MS ? 'failed' : 'warning';
  const message = `this clock is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} Azure's`;
  if (Math.abs(skew) <= SOME_SKEW_MS) return { ...at, status: 'passed', message };
  return { ...at, status, message, remedy: 'timedatectl set-ntp true, on the node of the controller' };
};

const priceCheck = (context: CheckContext, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const { arm, environment } = context.reach;
  const at = { check: 'egress', subject: environment.retailPricesEndpoint ?? 'price API' } as const;
  return findingsOf({ ...at, context }, async () => {
    try {
      const prices = await arm.listRetailPrices(signal);
      if (prices === undefined) return [{ ...at, status: 'passed', message: 'no price API: the prices of this version are used' }];
      return [{ ...at, status: prices.length > 0 ? 'passed' : 'warning', message: `${prices.length} prices` }];
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      return [{ ...at, status: 'warning', message: `${error.message}; the prices of this version are used` }];
    }
  });
};

const imageChecks = async (context: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const { reach, options, nodeClasses, kubernetesVersion = ANY_VERSION } = context;
  const images = imageDiscovery({ arm: reach.arm, options, clock: { now: () => 0 } });
  const found = classesOr(nodeClasses).map((nodeClass) => {
    const at = { check: 'images', subject: `AKSNodeClass ${nodeClass.metadata.name}` } as const;
    return findingsOf({ ...at, context }, async () => {
      const newest = await images.newest(nodeClass, kubernetesVersion, signal);
      if (newest.length > 0) return [{ ...at, status: 'passed', message: newest.map(({ id }) => id).join(', ') }];
      const hint = options.sharedGalleries === undefined ? '; images with FIPS need --use-sig' : '';
      const remedy = `kubectl edit aksnodeclass ${nodeClass.metadata.name}, for another imageFamily or fipsMode`;
      return [{ ...at, status: 'failed', message: `no image of the family is published in ${options.location}${hint}`, remedy }];
    });
  });
  return (await Promise.all(found)).flat();
};

const contextOf = (source: PreflightSource): Preflight => {
  const { options, variables, nodePools, nodeClasses, kubernetesVersion } = source;
  const subnets = [
    options.vnetSubnetId,
    ...nodeClasses.flatMap((nodeClass) => subnetIdsOf(nodeClass, options)),
    ...nodeClasses.flatMap(({ spec }) => spec?.podSubnetID ?? []),
  ];
  const version = kubernetesVersion?.replace(/^v/, '');
  return {
    ...{ options, nodePools, nodeClasses, reach: reachOf(source), kubernetesVersion: version },
    subnetIds: [...new Set(subnets)],
    principal: variables['AZURE_CLIENT_ID'] ?? 'CLIENT_ID',
    signInWith: variables,
  };
};

/**
 * Checks everything that a controller with these options needs of Azure, by calls that change nothing. Without a
 * sign-in nothing else is checked. Throws `AzureEnvironmentError` when the environment file cannot be read.
 */
export const preflight = async (source: PreflightSource, signal: AbortSignal): Promise<PreflightReport> => {
  const context = contextOf(source);
  const signedIn = await signInChecks(context, signal);
  if (signedIn.some(({ status }) => status !== 'passed')) return reportOf(signedIn);
  const subscription = await subscriptionChecks(context, signal);
  const others = await Promise.all([
    accessChecks(context, signal),
    agentPoolChecks(context, signal),
    subnetChecks(context, signal),
    quotaChecks(context, signal),
    imageChecks(context, signal),
    priceCheck(context, signal),
    egressChecks(context, signal),
    serviceChecks(context, signal),
  ]);
  return reportOf([...signedIn, clockCheck(context.reach), ...subscription, ...others.flat()]);
};
