import type { Container, PodSpec, ResourceList } from '../../kube/index.ts';

/** The names in order; allocates nothing when they are in order already, as they mostly are. */
const inOrder = (names: string[]): readonly string[] =>
  names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name) ? names : names.sort();

const listText = (list: ResourceList | undefined): string => {
  if (list === undefined) return '';
  let text = '';
  for (const name of inOrder(Object.keys(list))) text += `${name}=${String(list[name])};`;
  return text;
};

/** `Array.isArray` that narrows no type: what is typed as a list may be anything in malformed data. */
export const isList = (value: unknown): boolean => Array.isArray(value);

const containerText = ({ resources, restartPolicy = '', ports }: Container): string => {
  const hostPorts = ports !== undefined && isList(ports) ? ports.filter(({ hostPort }) => (hostPort ?? 0) > 0) : [];
  return `${listText(resources?.requests)}<${listText(resources?.limits)}>${restartPolicy}${hostPorts.length === 0 ? '' : JSON.stringify(hostPorts)}`;
};

const containersText = (containers: readonly Container[] | undefined): string => {
  if (containers === undefined || !isList(containers)) return typeof containers;
  let text = '';
  for (const container of containers) text += `${containerText(container)}|`;
  return text;
};

/**
 * What the spec says outside of its containers. JSON is exact, and its cost is paid only by pods that use these rarer
 * fields.
 */
export const frameText = (spec: PodSpec): string => {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources, resourceClaims } = spec;
  const rare = [nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources, resourceClaims];
  for (const field of rare) if (field !== undefined) return JSON.stringify(rare);
  return '';
};

/** What the containers of a spec say that scheduling reads. Runs once per pod object, so it stays short and plain. */
export const sizeText = (spec: PodSpec): string => `${containersText(spec.containers)}#${containersText(spec.initContainers)}`;
