import type { Resources } from '@karpenter/core';
import { parseClusterLimits } from './cluster-limits.ts';
import { defaultFeatureGates, defaultFeatureGatesText, featureGateNames, type FeatureGates, parseFeatureGates } from './feature-gates.ts';
import { booleanOption, choiceOption, dollarsOption, durationOption, numberOption, type Option, textOption } from './option.ts';

const port = { min: 0, max: 65_535 };
const positive = { min: 1, max: 100_000 };

const featureGates: Option<FeatureGates> = {
  flag: 'feature-gates',
  env: 'FEATURE_GATES',
  help: `features, as Name=true or Name=false separated by commas: ${featureGateNames.join(', ')}`,
  byDefault: defaultFeatureGates,
  defaultText: defaultFeatureGatesText,
  parse: parseFeatureGates,
};

const clusterLimits: Option<Resources> = {
  flag: 'cluster-limits',
  env: 'CLUSTER_LIMITS',
  help: 'what the nodes of all NodePools may have together, such as cpu=1000,memory=4Ti,nodes=200; without it there is no limit',
  byDefault: {},
  defaultText: '',
  parse: parseClusterLimits,
};

/**
 * Every option that is not the provider's. Names are the original's, and so are defaults but for features that are
 * complete here.
 */
export const options = {
  cloudProvider: textOption(
    { flag: 'cloud-provider', env: 'CLOUD_PROVIDER', help: 'package that exports the providerPlugin, or a path to a module that does' },
    '@karpenter/azure',
  ),
  kubeconfig: textOption(
    { flag: 'kubeconfig', env: 'KUBECONFIG', help: 'path of a kubeconfig; without one the pod’s service account is used' },
    '',
  ),
  metricsPort: numberOption({ flag: 'metrics-port', env: 'METRICS_PORT', help: 'port of /metrics' }, 8080, port),
  healthProbePort: numberOption({ flag: 'health-probe-port', env: 'HEALTH_PROBE_PORT', help: 'port of /healthz and /readyz' }, 8081, port),
  dashboardPort: numberOption(
    { flag: 'dashboard-port', env: 'DASHBOARD_PORT', help: 'port of the dashboard, a web page that only reads; 0: none' },
    0,
    port,
  ),
  dashboardHost: textOption(
    { flag: 'dashboard-host', env: 'DASHBOARD_HOST', help: 'address that the dashboard is served on; it asks nobody who they are' },
    '127.0.0.1',
  ),
  kubeClientQps: numberOption(
    { flag: 'kube-client-qps', env: 'KUBE_CLIENT_QPS', help: 'requests a second to the API server' },
    200,
    positive,
  ),
  kubeClientBurst: numberOption(
    { flag: 'kube-client-burst', env: 'KUBE_CLIENT_BURST', help: 'requests at once to the API server' },
    300,
    positive,
  ),
  disableClusterStateObservability: booleanOption(
    {
      flag: 'disable-cluster-state-observability',
      env: 'DISABLE_CLUSTER_STATE_OBSERVABILITY',
      help: 'show no metrics of single objects: conditions, ages, what nodes have and what pods request of them',
    },
    false,
  ),
  disableLeaderElection: booleanOption(
    { flag: 'disable-leader-election', env: 'DISABLE_LEADER_ELECTION', help: 'act without holding the lease' },
    false,
  ),
  leaderElectionName: textOption(
    { flag: 'leader-election-name', env: 'LEADER_ELECTION_NAME', help: 'name of the lease' },
    'karpenter-leader-election',
  ),
  leaderElectionNamespace: textOption(
    { flag: 'leader-election-namespace', env: 'LEADER_ELECTION_NAMESPACE', help: 'namespace of the lease; by default the pod’s own' },
    '',
  ),
  logLevel: choiceOption({ flag: 'log-level', env: 'LOG_LEVEL', help: 'least severe level that is written' }, [
    'info',
    'debug',
    'warn',
    'error',
  ]),
  batchIdleMs: durationOption(
    {
      flag: 'batch-idle-duration',
      env: 'BATCH_IDLE_DURATION',
      help: 'a batch of pending pods is planned when none came for so long; a lone pod on a quiet cluster sooner, a batch during which machines fill later',
    },
    1_000,
  ),
  batchMaxMs: durationOption({ flag: 'batch-max-duration', env: 'BATCH_MAX_DURATION', help: 'a batch waits no longer than this' }, 10_000),
  initializationTimeoutMs: durationOption(
    {
      flag: 'initialization-timeout',
      env: 'INITIALIZATION_TIMEOUT',
      help: 'a node that joined and has never been ready is deleted after so long; 0s: never',
    },
    3_600_000,
  ),
  preferencePolicy: choiceOption(
    { flag: 'preference-policy', env: 'PREFERENCE_POLICY', help: 'whether preferences of pods count, and at what cost' },
    ['Respect', 'Weigh', 'Ignore'],
  ),
  preferencePrice: dollarsOption(
    {
      flag: 'preference-price',
      env: 'PREFERENCE_PRICE',
      help: 'dollars an hour that a preference of weight 100 may cost a pod where the preference policy is Weigh; lighter ones in proportion',
    },
    0.01,
  ),
  nodePrice: dollarsOption(
    {
      flag: 'node-price',
      env: 'NODE_PRICE',
      help: 'dollars an hour that a node costs beside its machine, such as a license per node: counted in plans and in the savings of consolidation',
    },
    0,
  ),
  movePrice: dollarsOption(
    {
      flag: 'move-price',
      env: 'MOVE_PRICE',
      help: 'dollars an hour that a replacement by consolidation must save for each pod that moves; ten times as much for each machine that it launches. A tenth of the price is enough, too; 0: any saving is enough',
    },
    0.001,
  ),
  ignoreDraRequests: booleanOption(
    {
      flag: 'ignore-dra-requests',
      env: 'IGNORE_DRA_REQUESTS',
      help: 'read no devices: pods with ResourceClaims are refused',
    },
    false,
  ),
  minValuesPolicy: choiceOption(
    { flag: 'min-values-policy', env: 'MIN_VALUES_POLICY', help: 'whether minValues may be relaxed when they cannot be met' },
    ['Strict', 'BestEffort'],
  ),
  schedulerConfig: textOption(
    {
      flag: 'scheduler-config',
      env: 'SCHEDULER_CONFIG',
      help: 'the default topology spread of the cluster’s scheduler, as YAML or JSON, or a file with it; without one there is none',
    },
    '',
  ),
  clusterLimits,
  featureGates,
} as const;

type ValueOf<O> = O extends Option<infer T> ? T : never;

/** The settings of the controller: one field for each option. */
export type Settings = { readonly [Name in keyof typeof options]: ValueOf<(typeof options)[Name]> };
