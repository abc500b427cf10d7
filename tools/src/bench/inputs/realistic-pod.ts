const APPS = 500;
const NAMESPACES = 50;

const namespaceOf = (index: number): string => `namespace-${index % NAMESPACES}`;
const appOf = (index: number): string => `service-${index % APPS}`;

/**
 * Where realistic pods live: the namespace and the service account of each deployment, without which an API server
 * takes none of them.
 */
export const realisticHomes = Array.from({ length: APPS }, (_, app) => ({ namespace: namespaceOf(app), serviceAccount: appOf(app) }));

/** Deterministic hexadecimal text that differs from pod to pod. */
const hex = (seed: number, length: number): string => {
  let state = (seed + 1) * 2_654_435_761;
  let text = '';
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(16);
  }
  return text.slice(0, length);
};

const uidOf = (seed: number): string =>
  `${hex(seed, 8)}-${hex(seed + 7, 4)}-4${hex(seed + 11, 3)}-8${hex(seed + 13, 3)}-${hex(seed + 17, 12)}`;

const environment = (names: readonly string[]) =>
  names.map((name) => ({ name, value: `https://${name.toLowerCase().replaceAll('_', '-')}.internal.example.com:8443/v1` }));

const probe = (path: string) => ({
  httpGet: { path, port: 'http', scheme: 'HTTP' },
  initialDelaySeconds: 5,
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
});

const container = (app: string, tag: string) => ({
  name: app,
  image: `registry.example.com/platform/${app}:${tag}`,
  args: ['--listen=:8080', '--log-format=json', `--service=${app}`, '--shutdown-grace-period=25s'],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: 'NODE_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
    ...environment(['CATALOG_URL', 'ORDERS_URL', 'PAYMENTS_URL', 'SEARCH_URL']),
  ],
  resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  volumeMounts: [
    { name: 'config', mountPath: '/etc/service' },
    { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
  ],
  livenessProbe: probe('/livez'),
  readinessProbe: probe('/readyz'),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  securityContext: { capabilities: { drop: ['ALL'] }, runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
});

const volumes = (app: string) => [
  { name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } },
  {
    name: 'kube-api-access',
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
      defaultMode: 420,
    },
  },
];

/** Which fields the replica set controller and the kubelet own: about a quarter of the object. */
const managedFields = (app: string, ip: string) => {
  const owned = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
  const labels = owned('app', 'app.kubernetes.io/name', 'app.kubernetes.io/part-of', 'pod-template-hash', 'team');
  const fields = owned(
    'args',
    'image',
    'imagePullPolicy',
    'livenessProbe',
    'name',
    'readinessProbe',
    'resources',
    'securityContext',
    'terminationMessagePath',
  );
  const variables = ['POD_NAME', 'NODE_NAME', 'CATALOG_URL', 'ORDERS_URL', 'PAYMENTS_URL', 'SEARCH_URL'].map((name) => [
    `k:{"name":"${name}"}`,
    owned('name', 'value'),
  ]);
  const conditions = ['ContainersReady', 'Initialized', 'PodReadyToStartContainers', 'PodScheduled', 'Ready'].map((type) => [
    `k:{"type":"${type}"}`,
    { '.': {}, ...owned('lastProbeTime', 'lastTransitionTime', 'status', 'type') },
  ]);
  return [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-03-01T10:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, ...labels } },
        'f:spec': { 'f:containers': { [`k:{"name":"${app}"}`]: { '.': {}, ...fields, 'f:env': Object.fromEntries(variables) as object } } },
      },
    },
    {
      manager: 'kubelet',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-03-01T10:00:09Z',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:status': { 'f:conditions': Object.fromEntries(conditions) as object, 'f:podIPs': { [`k:{"ip":"${ip}"}`]: { 'f:ip': {} } } },
      },
      subresource: 'status',
    },
  ];
};

const conditions = () =>
  ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: '2026-03-01T10:00:09Z',
  }));

const POD_DEFAULTS = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: { fsGroup: 2000 },
  schedulerName: 'default-scheduler',
  priorityClassName: 'production',
  priority: 1000,
  enableServiceLinks: true,
  preemptionPolicy: 'PreemptLowerPriority',
};

const metadataOf = (index: number, app: string) => {
  const hash = hex(index % APPS, 9);
  const labels = {
    app,
    'app.kubernetes.io/name': app,
    'app.kubernetes.io/part-of': 'shop',
    'pod-template-hash': hash,
    team: `team-${index % 20}`,
  };
  return {
    name: `${app}-${hash}-${hex(index, 5)}${index.toString(36)}`,
    generateName: `${app}-${hash}-`,
    namespace: namespaceOf(index),
    uid: uidOf(index),
    resourceVersion: String(1_000_000 + index),
    creationTimestamp: '2026-03-01T10:00:00Z',
    labels,
    annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9090', 'checksum/config': hex(index % APPS, 64) },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `${app}-${hash}`,
        uid: uidOf(index % APPS),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
};

const statusOf = (index: number, app: string, tag: string) => ({
  phase: 'Running',
  conditions: conditions(),
  hostIP: `10.0.${index % 200}.${index % 250}`,
  startTime: '2026-03-01T10:00:00Z',
  containerStatuses: [
    {
      name: app,
      state: { running: { startedAt: '2026-03-01T10:00:05Z' } },
      lastState: {},
      ready: true,
      restartCount: 0,
      image: `registry.example.com/platform/${app}:${tag}`,
      imageID: `registry.example.com/platform/${app}@sha256:${hex(index % APPS, 64)}`,
      containerID: `containerd://${hex(index, 64)}`,
      started: true,
    },
  ],
  qosClass: 'Burstable',
});

/** A pod as a busy cluster holds it: one of 500 deployments in 50 namespaces, bound and running. About 6.4 kB as JSON. */
export const realisticPod = (index: number) => {
  const app = appOf(index);
  const tag = `2026.3.${index % APPS}`;
  const ip = `10.244.${Math.floor(index / 250) % 250}.${index % 250}`;
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: { app } },
  };
  return {
    metadata: { ...metadataOf(index, app), managedFields: managedFields(app, ip) },
    spec: {
      ...POD_DEFAULTS,
      volumes: volumes(app),
      containers: [container(app, tag)],
      serviceAccountName: app,
      serviceAccount: app,
      nodeName: `aks-general-${index % 2_000}`,
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: ['not-ready', 'unreachable'].map((taint) => ({
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      topologySpreadConstraints: [spread],
    },
    status: { ...statusOf(index, app, tag), podIP: ip, podIPs: [{ ip }] },
  };
};
