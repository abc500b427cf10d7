import type { LabelSelector, TopologySpreadConstraint } from '@karpenter/core/internal';
import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import type { PodObject } from '../../objects/pod.ts';
import { selects } from '../../selectors/node-selector.ts';

type Labels = Readonly<Record<string, string>>;

interface Selecting extends ApiObject {
  readonly spec?: { readonly selector?: LabelSelector | Labels };
}

const services: KindRef<Selecting> = { kind: 'Service', apiVersion: 'v1' };
const controllers: ReadonlySet<string> = new Set(['v1 ReplicationController', 'apps/v1 ReplicaSet', 'apps/v1 StatefulSet']);

/** The pod's controller, where it is of a kind that selects pods. */
const controllerOf = (api: LocalApi, { metadata }: PodObject): Selecting | undefined => {
  const { namespace = '', ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner === undefined || !controllers.has(`${owner.apiVersion} ${owner.kind}`)) return undefined;
  const kind: KindRef<Selecting> = { kind: owner.kind, apiVersion: owner.apiVersion };
  return api.get(kind, { namespace, name: owner.name });
};

/** What the Services that select the pod select together. */
const servedLabels = (api: LocalApi, { metadata: { namespace = '', labels = {} } }: PodObject): Labels => {
  const all = api.list(services, { namespace }).map(({ spec }) => (spec?.selector ?? {}) as Labels);
  return Object.assign({}, ...all.filter((matchLabels) => selects({ matchLabels }, labels))) as Labels;
};

/** What Services and controller select, both together. Source: kube-scheduler, `helper.DefaultSelector`. */
const selectorOf = (api: LocalApi, pod: PodObject): LabelSelector => {
  const served = servedLabels(api, pod);
  const controller = controllerOf(api, pod);
  const selector = controller?.spec?.selector ?? {};
  if (controller?.kind === 'ReplicationController') return { matchLabels: { ...served, ...(selector as Labels) } };
  const { matchLabels = {}, matchExpressions = [] } = selector as LabelSelector;
  const equal = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return { matchLabels: served, matchExpressions: [...equal, ...matchExpressions] };
};

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/**
 * Pod → the pod with the default constraints of the scheduler's configuration, where it has none of its own and is one
 * of some pods.
 */
export const binderDefaultSpread = (api: LocalApi, constraints: readonly TopologySpreadConstraint[]): ((pod: PodObject) => PodObject) => {
  if (constraints.length === 0) return (pod) => pod;
  return (pod) => {
    if ((pod.spec.topologySpreadConstraints?.length ?? 0) > 0) return pod;
    const labelSelector = selectorOf(api, pod);
    if (isEmpty(labelSelector)) return pod;
    return { ...pod, spec: { ...pod.spec, topologySpreadConstraints: constraints.map((each) => ({ ...each, labelSelector })) } };
  };
};
