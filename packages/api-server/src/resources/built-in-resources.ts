import type { TableColumn } from '../columns/column.ts';
import { NODE_COLUMNS } from '../columns/node-columns.ts';
import { PLATFORM_COLUMNS } from '../columns/platform-columns.ts';
import { POD_COLUMNS } from '../columns/pod-columns.ts';
import { SERVING_COLUMNS } from '../columns/serving-columns.ts';
import { NAME_AND_AGE } from '../columns/shared-columns.ts';
import { WORKLOAD_COLUMNS } from '../columns/workload-columns.ts';
import { textAt } from '../json/value-at.ts';
import { schemaOfKind } from '../schema/built-in-schemas.ts';
import { decode } from '../schema/decode.ts';
import type { FieldReader } from '../store/field-index.ts';
import { EVENTS_CONVERSION } from './events-conversion.ts';
import { AUTOSCALER_CONVERSION } from './autoscaler-conversion.ts';
import type { VersionConversion, Resource, ScalePaths } from './resource.ts';
import { STRATEGIES } from './strategies/index.ts';
import { NEW_EVENT_STRATEGY } from './strategies/platform-strategies.ts';

const SCALE: ScalePaths = { specReplicas: 'spec.replicas', statusReplicas: 'status.replicas', selector: 'spec.selector' };

const fields = (...paths: readonly string[]): Readonly<Record<string, FieldReader>> =>
  Object.fromEntries(paths.map((path) => [path, (object) => textAt(object, path)]));

const EVENT_FIELDS = fields(
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((member) => `involvedObject.${member}`),
  'reason',
  'reportingComponent',
  'source',
  'type',
);

const SELECTABLE: Readonly<Record<string, Readonly<Record<string, FieldReader>>>> = {
  Pod: {
    ...fields(
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
      'status.nominatedNodeName',
    ),
    'spec.hostNetwork': (pod) => textAt(pod, 'spec.hostNetwork') || 'false',
  },
  Node: { 'spec.unschedulable': (node) => textAt(node, 'spec.unschedulable') || 'false' },
  Namespace: fields('status.phase'),
  Secret: fields('type'),
  Event: EVENT_FIELDS,
  ReplicaSet: fields('status.replicas'),
  ReplicationController: fields('status.replicas'),
  Job: fields('status.successful'),
  Service: fields('spec.clusterIP', 'spec.type'),
  CertificateSigningRequest: fields('spec.signerName'),
  ResourceSlice: fields('spec.nodeName', 'spec.driver'),
};

const COLUMNS: Readonly<Record<string, readonly TableColumn[]>> = {
  ...WORKLOAD_COLUMNS,
  ...PLATFORM_COLUMNS,
  ...SERVING_COLUMNS,
  Pod: POD_COLUMNS,
  Node: NODE_COLUMNS,
};

/** group/version | kind plural shortNames categories | N namespaced, C cluster; S status, R scale. */
const TABLE = `
v1 Pod pods po all NS
v1 Node nodes no - CS
v1 Namespace namespaces ns - CS
v1 Service services svc all NS
v1 ServiceAccount serviceaccounts sa - N
v1 ConfigMap configmaps cm - N
v1 Secret secrets - - N
v1 Event events ev - N
v1 PersistentVolume persistentvolumes pv - CS
v1 PersistentVolumeClaim persistentvolumeclaims pvc - NS
v1 ReplicationController replicationcontrollers rc all NSR
v1 PodTemplate podtemplates - - N
v1 LimitRange limitranges limits - N
v1 ResourceQuota resourcequotas quota - NS
v1 Endpoints endpoints ep - N
apps/v1 Deployment deployments deploy all NSR
apps/v1 ReplicaSet replicasets rs all NSR
apps/v1 DaemonSet daemonsets ds all NS
apps/v1 StatefulSet statefulsets sts all NSR
apps/v1 ControllerRevision controllerrevisions - - N
batch/v1 Job jobs - all NS
batch/v1 CronJob cronjobs cj all NS
policy/v1 PodDisruptionBudget poddisruptionbudgets pdb - NS
storage.k8s.io/v1 StorageClass storageclasses sc - C
storage.k8s.io/v1 CSINode csinodes - - C
storage.k8s.io/v1 CSIDriver csidrivers - - C
storage.k8s.io/v1 VolumeAttachment volumeattachments - - CS
resource.k8s.io/v1 DeviceClass deviceclasses - - C
resource.k8s.io/v1 ResourceClaim resourceclaims - - NS
resource.k8s.io/v1 ResourceClaimTemplate resourceclaimtemplates - - N
resource.k8s.io/v1 ResourceSlice resourceslices - - C
coordination.k8s.io/v1 Lease leases - - N
events.k8s.io/v1 Event events ev - N
scheduling.k8s.io/v1 PriorityClass priorityclasses pc - C
networking.k8s.io/v1 NetworkPolicy networkpolicies netpol - N
networking.k8s.io/v1 Ingress ingresses ing - NS
networking.k8s.io/v1 IngressClass ingressclasses - - C
discovery.k8s.io/v1 EndpointSlice endpointslices - - N
autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers hpa all NS
autoscaling/v1 HorizontalPodAutoscaler horizontalpodautoscalers hpa all NS
certificates.k8s.io/v1 CertificateSigningRequest certificatesigningrequests csr - CS
rbac.authorization.k8s.io/v1 Role roles - - N
rbac.authorization.k8s.io/v1 RoleBinding rolebindings - - N
rbac.authorization.k8s.io/v1 ClusterRole clusterroles - - C
rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings - - C
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies - - CS
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings - - C
apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions crd,crds api-extensions CS
`;

const words = (text: string): readonly string[] => (text === '-' ? [] : text.split(','));

const CONVERSIONS: Readonly<Record<string, VersionConversion>> = {
  'events.k8s.io/v1 Event': EVENTS_CONVERSION,
  'autoscaling/v1 HorizontalPodAutoscaler': AUTOSCALER_CONVERSION,
};

const NEW_EVENTS = 'events.k8s.io';
const ENDPOINTS_WARNING = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

const groupVersionOf = (apiVersion: string): { readonly group: string; readonly version: string } => {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
};

const particularsOf = (kind: string): Pick<Resource, 'columns' | 'selectable' | 'strategy'> => ({
  columns: COLUMNS[kind] ?? NAME_AND_AGE,
  selectable: SELECTABLE[kind] ?? {},
  strategy: STRATEGIES[kind] ?? {},
});

const resourceOf = (line: string): Resource => {
  const [apiVersion = '', kind = '', plural = '', ...rest] = line.split(' ');
  const { group, version } = groupVersionOf(apiVersion);
  const isNewEvent = group === NEW_EVENTS;
  const schema = schemaOfKind(apiVersion, kind);
  if (schema === undefined) throw new Error(`no schema of ${apiVersion} ${kind}`);
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    storage: isNewEvent || group === '' ? plural : `${plural}.${group}`,
    schema,
    decode: (body) => decode(body, schema),
    conversion: CONVERSIONS[`${apiVersion} ${kind}`],
    warning: kind === 'Endpoints' ? ENDPOINTS_WARNING : undefined,
    custom: false,
    ...particularsOf(kind),
    ...(isNewEvent ? { strategy: NEW_EVENT_STRATEGY } : {}),
    ...traitsOf(rest),
  };
};

const traitsOf = ([shortNames = '', categories = '', flags = '']: readonly string[]): Pick<
  Resource,
  'shortNames' | 'categories' | 'namespaced' | 'hasStatus' | 'scale'
> => ({
  shortNames: words(shortNames),
  categories: words(categories),
  namespaced: flags.includes('N'),
  hasStatus: flags.includes('S'),
  scale: flags.includes('R') ? SCALE : undefined,
});

/** Every built-in resource. */
export const BUILT_IN_RESOURCES: readonly Resource[] = TABLE.trim().split('\n').map(resourceOf);
