import { neededValues } from './rendered.ts';

const clientId = '99999999-8888-7777-6666-555555555555';

/** Values that make the chart render every object and every rule that it has. */
export const everythingOn = {
  ...neededValues,
  azure: { ...neededValues.azure, systemNamespace: 'kube-system' },
  workloadIdentity: { clientId, tenantId: clientId },
  settings: {
    featureGates: {
      capacityBuffer: true,
      nodeOverlay: true,
      nodeRepair: true,
      podNomination: true,
      rebalancePlan: true,
      reservedCapacity: true,
      spotToSpotConsolidation: true,
      staticCapacity: true,
    },
    schedulerConfig: {
      podTopologySpread: {
        defaultConstraints: [{ maxSkew: 3, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' }],
      },
    },
  },
  podLabels: { team: 'platform' },
  podAnnotations: { 'example.com/note': 'yes' },
  additionalLabels: { 'example.com/owner': 'platform' },
  additionalAnnotations: { 'example.com/cost-center': '42' },
  revisionHistoryLimit: 3,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
  schedulerName: 'default-scheduler',
  hostNetwork: true,
  dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
  podSecurityContext: { fsGroupChangePolicy: 'OnRootMismatch' },
  securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
  initContainers: [{ name: 'before', image: 'example.com/before:1' }],
  sidecarContainers: [{ name: 'beside', image: 'example.com/beside:1' }],
  extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.pem' }],
  extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }],
  metrics: {
    service: { annotations: { 'prometheus.io/scrape': 'true' } },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, sampleLimit: 100_000, endpointConfig: { scrapeTimeout: '20s' } },
    alerts: { enabled: true, runbookUrl: 'https://docs.example.com/troubleshooting' },
    dashboard: { enabled: true },
  },
  networkPolicy: { enabled: true, metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] },
  admissionPolicies: {
    enabled: true,
    nodePools: { forbidNeverExpire: true },
    nodeClasses: {
      ...{ maxOsDiskSizeGb: 512, allowedSubnetIds: [neededValues.azure.vnetSubnetId] },
      ...{ forbidUnsafeSysctls: true, forbidHttpProxy: true, forbidCertificates: true },
    },
  },
};
