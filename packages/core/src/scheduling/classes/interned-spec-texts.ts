import { newTrie, childOf, descend } from '../../base/index.ts';
import type { TrieNode } from '../../base/index.ts';
import type { Container, PodSpec } from '../../kube/index.ts';
import { frameText, isList, sizeText } from './spec-text.ts';

type Position = TrieNode<string>;

const descendField = (from: Position, field: string, content: unknown): Position =>
  content === undefined ? from : descend(childOf(from, field), content);

const descendContainer = (from: Position, { resources, restartPolicy, ports }: Container): Position => {
  const at = descendField(descend(from, resources?.requests), 'limits', resources?.limits);
  return descendField(descendField(at, 'restartPolicy', restartPolicy), 'ports', ports);
};

const descendContainers = (from: Position, containers: readonly Container[] | undefined): Position => {
  if (containers === undefined || !isList(containers)) return childOf(from, typeof containers);
  let at = childOf(from, containers.length);
  for (const container of containers) at = descendContainer(at, container);
  return at;
};

const descendFrame = (from: Position, spec: PodSpec): Position => {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources, resourceClaims } = spec;
  let at = descendField(from, 'nodeSelector', nodeSelector);
  at = descendField(at, 'affinity', affinity);
  at = descendField(at, 'tolerations', tolerations);
  at = descendField(at, 'topologySpreadConstraints', topologySpreadConstraints);
  at = descendField(at, 'overhead', overhead);
  at = descendField(at, 'resources', resources);
  return descendField(at, 'resourceClaims', resourceClaims);
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
export interface InternedSpecTexts {
  readonly frameOf: (spec: PodSpec) => string;
  readonly sizeOf: (spec: PodSpec) => string;
}

/** In a trie each entry of a list takes a kilobyte: the texts of longer lists are made each time, and compared as they are. */
const LONGEST_LIST = 128;

const areShort = (...lists: readonly (readonly unknown[] | undefined)[]): boolean =>
  lists.every((list) => list === undefined || list.length <= LONGEST_LIST);

const isFrameShort = ({ tolerations, affinity, topologySpreadConstraints }: PodSpec): boolean =>
  areShort(
    tolerations,
    topologySpreadConstraints,
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
    affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
  );

/**
 * As `frameText` and `sizeText` make them. A text is built when its content is first seen; from then on a walk down a trie of contents finds it, which
 * takes a third of the time and leaves nothing to collect.
 */
export const internedSpecTexts = (): InternedSpecTexts => {
  const canonical = canonicalTexts();
  const frames: Position = newTrie();
  const sizes: Position = newTrie();
  return {
    frameOf: (spec) =>
      isFrameShort(spec) ? (descendFrame(frames, spec).value ??= canonical(frameText(spec))) : canonical(frameText(spec)),
    sizeOf: (spec) =>
      areShort(spec.containers, spec.initContainers)
        ? (descendContainers(descendContainers(sizes, spec.containers), spec.initContainers).value ??= canonical(sizeText(spec)))
        : canonical(sizeText(spec)),
  };
};
