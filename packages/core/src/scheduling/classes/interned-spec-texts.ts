import type { Container, PodSpec, ResourceList } from '../../kube/index.ts';
import { newTrie, TrieWalk } from '../../base/index.ts';
import type { TrieNode } from '../../base/index.ts';

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
const isList = (value: unknown): boolean => Array.isArray(value);

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

/**
 * In a trie each word takes some hundred bytes: the texts of specs with more words are made each time, and compared as
 * they are.
 */
const MOST_WORDS = 1000;

type Walk = TrieWalk<string>;

const walkField = (walk: Walk, field: string, content: unknown): void => {
  if (content === undefined) return;
  walk.along(field);
  walk.along(content);
};

const walkContainers = (walk: Walk, containers: readonly Container[] | undefined): void => {
  if (containers === undefined || !isList(containers)) {
    walk.along(typeof containers);
    return;
  }
  walk.along(containers.length);
  for (const { resources, restartPolicy, ports } of containers) {
    walk.along(resources?.requests);
    walkField(walk, 'limits', resources?.limits);
    walkField(walk, 'restartPolicy', restartPolicy);
    walkField(walk, 'ports', ports);
  }
};

const sizeNode = (root: TrieNode<string>, { containers, initContainers }: PodSpec): TrieNode<string> | undefined => {
  const walk = new TrieWalk(root, MOST_WORDS);
  walkContainers(walk, containers);
  walkContainers(walk, initContainers);
  return walk.end;
};

const frameNode = (root: TrieNode<string>, spec: PodSpec): TrieNode<string> | undefined => {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources, resourceClaims } = spec;
  const walk = new TrieWalk(root, MOST_WORDS);
  walkField(walk, 'nodeSelector', nodeSelector);
  walkField(walk, 'affinity', affinity);
  walkField(walk, 'tolerations', tolerations);
  walkField(walk, 'topologySpreadConstraints', topologySpreadConstraints);
  walkField(walk, 'overhead', overhead);
  walkField(walk, 'resources', resources);
  walkField(walk, 'resourceClaims', resourceClaims);
  return walk.end;
};

/** Gives equal texts the very same string. */
type Canonical = (text: string) => string;

const canonicalTexts = (): Canonical => {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined) known.set(text, text);
    return found ?? text;
  };
};

/** The texts of specs. Equal content gets the very same string, so that it is cheap as a key. */
interface InternedSpecTexts {
  readonly frameOf: (spec: PodSpec) => string;
  readonly sizeOf: (spec: PodSpec) => string;
}

/**
 * As `frameText` and `sizeText` make them. A text is built when its content is first seen; from then on a walk down a
 * trie of contents finds it, which takes a third of the time and leaves nothing to collect.
 */
export const internedSpecTexts = (): InternedSpecTexts => {
  const canonical = canonicalTexts();
  const internedBy = (nodeOf: typeof frameNode, textOf: (spec: PodSpec) => string): ((spec: PodSpec) => string) => {
    const root = newTrie<string>();
    return (spec) => {
      const node = nodeOf(root, spec);
      return node === undefined ? canonical(textOf(spec)) : (node.value ??= canonical(textOf(spec)));
    };
  };
  return { frameOf: internedBy(frameNode, frameText), sizeOf: internedBy(sizeNode, sizeText) };
};
