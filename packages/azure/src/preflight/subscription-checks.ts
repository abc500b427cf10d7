import { AKS_API_VERSION } from '../arm/api-versions/api-versions.ts';
import type { OfferedProvider } from '../arm/subscription-api.ts';
import { agentPoolOf } from '../options/index.ts';
import { learnProvider, providersNeededBy } from '../provider/offered-versions.ts';
import { type CheckContext, type CheckedClasses, findingsOf } from './preflight-context.ts';
import type { PreflightFinding } from './report.ts';

const MACHINES = 'Microsoft.ContainerService/managedClusters/agentPools/machines';

const registration = (namespace: string, provider: OfferedProvider | undefined): PreflightFinding => {
  const at = { check: 'providers', subject: namespace } as const;
  if (provider === undefined) {
    const remedy = 'az provider list --query "[].namespace" --output table';
    return { ...at, status: 'failed', message: 'this Azure does not have the provider', remedy };
  }
  if (provider.isRegistered) return { ...at, status: 'passed', message: 'registered' };
  const remedy = `az provider register --namespace ${namespace} --wait`;
  return { ...at, status: 'failed', message: 'the subscription is not registered for the provider', remedy };
};

/** Whether the region has virtual machines, and in which zones. */
const regionOf = (
  { options: { location } }: Pick<CheckContext, 'options'>,
  provider: OfferedProvider | undefined,
): readonly PreflightFinding[] => {
  const vms = provider?.types.find(({ type }) => type === 'virtualMachines');
  if (vms === undefined || vms.locations.length === 0) return [];
  const at = { check: 'region', subject: location } as const;
  if (!vms.locations.includes(location)) {
    const remedy = 'az aks show --query location, for --location';
    return [{ ...at, status: 'failed', message: 'virtual machines are not offered in LOCATION', remedy }];
  }
  const zones = vms.zones[location] ?? [];
  return [{ ...at, status: 'passed', message: zones.length === 0 ? 'no zones' : `zones ${zones.join(', ')}` }];
};

const providerChecks = async (context: CheckContext, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const { options, reach } = context;
  const read = async (namespace: string): Promise<readonly PreflightFinding[]> => {
    const provider = await reach.subscription.readProvider(namespace, signal);
    if (provider !== undefined) learnProvider(reach.versions, provider);
    const region = namespace === 'Microsoft.Compute' ? regionOf(context, provider) : [];
    return [registration(namespace, provider), ...region];
  };
  const found = await Promise.all(
    providersNeededBy(options).map((subject) => findingsOf({ check: 'providers', subject, context }, () => read(subject))),
  );
  return found.flat();
};

/** Feature → whether a class needs it. */
const neededFeatures = ({ nodeClasses, options }: CheckedClasses): readonly string[] => {
  const isEncrypted = nodeClasses.some(({ spec }) => spec?.security?.encryptionAtHost === true);
  const streams =
    options.provisioning.kind !== 'aksscriptless' && nodeClasses.some(({ spec }) => spec?.artifactStreaming?.enabled === true);
  return [
    ...(isEncrypted ? ['Microsoft.Compute/EncryptionAtHost'] : []),
    ...(streams ? ['Microsoft.ContainerService/ArtifactStreamingPreview'] : []),
  ];
};

const featureCheck = async (
  feature: string,
  { reach }: Pick<CheckContext, 'reach'>,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> => {
  const state = (await reach.subscription.featureState(feature, signal)) ?? 'not there';
  const at = { check: 'features', subject: feature } as const;
  if (state === 'Registered') return [{ ...at, status: 'passed', message: 'registered' }];
  const [namespace = '', name = ''] = feature.split('/');
  const remedy = `az feature register --namespace ${namespace} --name ${name} && az provider register --namespace ${namespace}`;
  return [{ ...at, status: 'failed', message: `a class needs the feature, which is ${state}`, remedy }];
};

const versionChecks = ({ reach, options }: Pick<CheckContext, 'reach' | 'options'>): readonly PreflightFinding[] => {
  if (agentPoolOf(options) !== undefined) reach.versions.versionFor(MACHINES, AKS_API_VERSION);
  if (reach.fallbacks.length === 0) {
    return [
      { check: 'api-versions', subject: 'all calls', status: 'passed', message: 'the subscription offers what calls are written for' },
    ];
  }
  return reach.fallbacks.map(({ type, wanted, used, lacks }) => ({
    check: 'api-versions',
    subject: type,
    status: lacks === undefined ? 'passed' : 'warning',
    message: `${used} in place of ${wanted}${lacks === undefined ? '' : `: ${lacks}`}`,
  }));
};

/** Providers, region, features, and the api-versions that calls will be made at. */
export const subscriptionChecks = async (
  context: CheckContext & CheckedClasses,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> => {
  const providers = await providerChecks(context, signal);
  const features = await Promise.all(
    neededFeatures(context).map((subject) =>
      findingsOf({ check: 'features', subject, context }, () => featureCheck(subject, context, signal)),
    ),
  );
  // Calls whose versions matter most: their types are known once they were made.
  const probes = findingsOf({ check: 'api-versions', subject: 'Microsoft.Compute/virtualMachines', context }, async () => {
    await Promise.all([context.reach.arm.getVm('karpenter-preflight', signal), context.reach.arm.getNic('karpenter-preflight', signal)]);
    return [];
  });
  return [...providers, ...features.flat(), ...(await probes), ...versionChecks(context)];
};
