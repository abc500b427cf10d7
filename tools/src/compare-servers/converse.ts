import type { ApiAnswer as Given, RawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import { at } from '../../../packages/kube-api-contract/src/kube-client.ts';
import type { ServerAnswer } from './answers.ts';
import type { Conversation, Request } from './conversations.ts';
import { spokenAnswerOf } from './spoken-answers.ts';

const CORE = ['pods', 'configmaps', 'persistentvolumeclaims', 'serviceaccounts', 'services', 'events', 'secrets', 'replicationcontrollers'];

/** Where the resources are, `*` for the namespace of the conversation. */
const PATHS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(CORE.map((plural) => [plural, `/api/v1/namespaces/*/${plural}`])),
  nodes: '/api/v1/nodes',
  namespaces: '/api/v1/namespaces',
  persistentvolumes: '/api/v1/persistentvolumes',
  deployments: '/apis/apps/v1/namespaces/*/deployments',
  replicasets: '/apis/apps/v1/namespaces/*/replicasets',
  daemonsets: '/apis/apps/v1/namespaces/*/daemonsets',
  statefulsets: '/apis/apps/v1/namespaces/*/statefulsets',
  jobs: '/apis/batch/v1/namespaces/*/jobs',
  poddisruptionbudgets: '/apis/policy/v1/namespaces/*/poddisruptionbudgets',
  leases: '/apis/coordination.k8s.io/v1/namespaces/*/leases',
  newevents: '/apis/events.k8s.io/v1/namespaces/*/events',
  storageclasses: '/apis/storage.k8s.io/v1/storageclasses',
  csinodes: '/apis/storage.k8s.io/v1/csinodes',
  volumeattachments: '/apis/storage.k8s.io/v1/volumeattachments',
  deviceclasses: '/apis/resource.k8s.io/v1/deviceclasses',
  resourceclaims: '/apis/resource.k8s.io/v1/namespaces/*/resourceclaims',
  resourceclaimtemplates: '/apis/resource.k8s.io/v1/namespaces/*/resourceclaimtemplates',
  resourceslices: '/apis/resource.k8s.io/v1/resourceslices',
  priorityclasses: '/apis/scheduling.k8s.io/v1/priorityclasses',
  roles: '/apis/rbac.authorization.k8s.io/v1/namespaces/*/roles',
  rolebindings: '/apis/rbac.authorization.k8s.io/v1/namespaces/*/rolebindings',
  clusterroles: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  clusterrolebindings: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  policies: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  policybindings: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  definitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  nodepools: '/apis/karpenter.sh/v1/nodepools',
  nodeclaims: '/apis/karpenter.sh/v1/nodeclaims',
  nodeoverlays: '/apis/karpenter.sh/v1alpha1/nodeoverlays',
  nodeclasses: '/apis/karpenter.azure.com/v1beta1/aksnodeclasses',
  alphanodeclasses: '/apis/karpenter.azure.com/v1alpha2/aksnodeclasses',
};

type Call = NonNullable<Parameters<RawKubeClient['call']>[1]>;

const patchType = (type: string) => ({ contentType: `application/${type}` });
const accepting = (accept: string) => ({ accept });
const META = 'g=meta.k8s.io;v=v1';

/** Words for how a request is sent. `as:name` sends it as another user. */
const HOW: Readonly<Record<string, Pick<Call, 'contentType' | 'accept'>>> = {
  merge: patchType('merge-patch+json'),
  json: patchType('json-patch+json'),
  strategic: patchType('strategic-merge-patch+json'),
  apply: patchType('apply-patch+yaml'),
  text: patchType('x-text'),
  table: accepting(`application/json;as=Table;${META}, application/json`),
  onlytable: accepting(`application/json;as=Table;${META}`),
  oldtable: accepting('application/json;as=Table;g=meta.k8s.io;v=v1beta1'),
  strangetable: accepting('application/json;as=Table;g=meta.k8s.io;v=v9'),
  metadata: accepting(`application/json;as=PartialObjectMetadata;${META}`),
  metadatalist: accepting(`application/json;as=PartialObjectMetadataList;${META}`),
  xml: accepting('application/xml'),
  anything: accepting('*/*'),
  aggregated: accepting('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'),
};

const callOf = ([method, , body, how]: Request): Call => {
  const words = (how ?? '').split(' ').filter((word) => word !== '');
  const headers: Record<string, string> = {};
  for (const word of words) {
    if (word.startsWith('as:')) headers['impersonate-user'] = word.slice('as:'.length);
    if (word === 'badtoken') headers['authorization'] = 'Bearer nobody';
  }
  const sent: Call = { method: method === 'WATCH' ? 'GET' : method, headers, ...(body === undefined || body === null ? {} : { body }) };
  return words.reduce<Call>((call, word) => ({ ...call, ...HOW[word] }), sent);
};

const WATCH_SECONDS = 1;

const pathOf = (conversation: string, [method, path]: Request): string => {
  const whole = path.replace(/^[a-z]+/, (plural) => PATHS[plural] ?? plural).replace('*', conversation);
  if (method !== 'WATCH') return whole;
  return `${whole}${whole.includes('?') ? '&' : '?'}watch=1&timeoutSeconds=${WATCH_SECONDS}`;
};

const REFERENCE = /\{(resourceVersion|uid|continue)@(\d+)\}/g;

/** A request may speak of what came before: `{uid@2}` is that of the object in the second answer. */
const resolved = <Part extends Request[1 | 2]>(part: Part, given: readonly Given[]): Part => {
  if (part === undefined) return part;
  const text = JSON.stringify(part).replaceAll(REFERENCE, (_, member: string, number: string) =>
    String(at(given[Number(number) - 1]?.body, `metadata.${member}`)),
  );
  return JSON.parse(text) as Part;
};

/** Holds a conversation with a server and gives its answers, one for each request. */
export const converse = async (client: RawKubeClient, { name, requests }: Conversation): Promise<readonly ServerAnswer[]> => {
  await client.call('/api/v1/namespaces', { method: 'POST', body: { metadata: { name } } });
  await client.call(`/api/v1/namespaces/${name}/serviceaccounts`, { method: 'POST', body: { metadata: { name: 'default' } } });
  const given: Given[] = [];
  for (const [method, path, body, how] of requests) {
    const request: Request = [method, resolved(path, given), resolved(body, given), how];
    given.push(await client.call(pathOf(name, request), callOf(request)));
  }
  return given.map(spokenAnswerOf);
};
