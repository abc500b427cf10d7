import type { Access, ApiObject } from '@karpenter/api-server';

type Subject = Readonly<Record<'kind' | 'name' | 'namespace', string>>;

interface Binding extends ApiObject {
  readonly roleRef: Readonly<Record<'kind' | 'name', string>>;
  readonly subjects: readonly Subject[];
}

interface Rule extends Readonly<Record<'apiGroups' | 'resources' | 'verbs', readonly string[]>> {
  readonly resourceNames?: readonly string[];
}

interface Role extends ApiObject {
  readonly rules: readonly Rule[];
}

/** A right: in a namespace or in all of them, to an object or to any. */
type Right = Pick<Access, 'verb' | 'group' | 'resource' | 'namespace' | 'name'>;

/** The namespaces that the chart itself names; in all others objects are what users make of them, and may have any name. */
const NAMED_BY_THE_CHART: readonly (string | undefined)[] = ['karpenter', 'kube-system'];

/** `patch nodeclaims.karpenter.sh/status`, `get services in kube-system named kube-dns`. */
const worded = ({ verb, group, resource, namespace, name }: Right): string => {
  const [plural = '', subresource] = resource.split('/');
  return [
    `${verb} ${plural}`,
    ...(group === '' ? [] : [`.${group}`]),
    ...(subresource === undefined ? [] : [`/${subresource}`]),
    ...(namespace === undefined ? [] : [` in ${namespace}`]),
    ...(name === undefined ? [] : [` named ${name}`]),
  ].join('');
};

const rightsOf = ({ apiGroups, resources, verbs, resourceNames }: Rule, namespace: string | undefined): readonly Right[] =>
  apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => (resourceNames ?? [undefined]).map((name): Right => ({ verb, group, resource, namespace, name }))),
    ),
  );

const isBinding = (object: ApiObject): object is Binding => object.kind === 'ClusterRoleBinding' || object.kind === 'RoleBinding';

/** The role that a binding gives: of its own namespace, or of the cluster, which then holds in that namespace. */
const isRoleOf =
  ({ roleRef, metadata }: Binding) =>
  (object: ApiObject): object is Role =>
    object.kind === roleRef.kind &&
    object.metadata.name === roleRef.name &&
    (roleRef.kind === 'ClusterRole' || object.metadata.namespace === metadata.namespace);

/**
 * What the roles and bindings among objects let anybody do, sorted. Verb, resource, namespace and name are in the words
 * of each.
 */
export const grantsIn = (objects: readonly ApiObject[]): readonly string[] => {
  const rights = objects
    .filter(isBinding)
    .flatMap((binding) =>
      objects.filter(isRoleOf(binding)).flatMap(({ rules }) => rules.flatMap((rule) => rightsOf(rule, binding.metadata.namespace))),
    );
  return [...new Set(rights.map(worded))].sort();
};

/** Whom bindings among objects name, each once. */
export const subjectsIn = (objects: readonly ApiObject[]): readonly Subject[] => {
  const subjects = objects.filter(isBinding).flatMap((binding) => binding.subjects);
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
};

const anywhere = ({ verb, group, resource }: Right): string => worded({ verb, group, resource, namespace: undefined, name: undefined });

/** The recorded requests in the form of `grantsIn`: the least that RBAC has to grant, sorted. */
export const grantsNeededBy = (accesses: readonly Access[]): readonly string[] => {
  const isOfTheChart = ({ namespace }: Access): boolean => NAMED_BY_THE_CHART.includes(namespace);
  const wide = new Set(accesses.filter((access) => !isOfTheChart(access)).map(anywhere));
  const narrow = accesses.filter((access) => isOfTheChart(access) && !wide.has(anywhere(access))).map(worded);
  return [...new Set([...wide, ...narrow])].sort();
};
