import { podContainersProblem, podFrameProblem, requestsOfPodSpec } from '../../kube/index.ts';
import type { Container, PodSpec, ResourceList, Resources } from '../../kube/index.ts';
import {
  TrieWalk,
  WeakMemory,
  getOrMake,
  isDigestKey,
  isFieldProblem,
  itemAt,
  memoByKey,
  memoByObject,
  newTrie,
  textKey,
} from '../../base/index.ts';
import type { FieldProblem, TrieNode } from '../../base/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import { podRequirements } from '../../requirements/index.ts';
import type { NamedNodes, Requirements } from '../../requirements/index.ts';
import { podPreferences } from './pod-preferences.ts';
import type { PodPreferences } from './pod-preferences.ts';
import { relaxationOrderOf } from './node-term.ts';
import type { EqualTerms } from './node-term.ts';

/** The names in order; allocates nothing when they are in order already, as they mostly are. */
const inOrder = (names: string[]): readonly string[] =>
  names.every((name, index) => index === 0 || itemAt(names, index - 1) < name) ? names : names.sort();

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
 * In a trie each word takes some fifty bytes, even where a walk ends here. Specs with more words are written out each
 * time and compared as text. Ordinary specs have fewer than a hundred.
 */
const MOST_WORDS = 200;

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

/**
 * Longer texts belong to specs with long lists. A plan postpones most of them before it needs more than their key,
 * which is a digest. The text would take as much memory as the pod.
 */
const LONGEST_TEXT = 4096;

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

/** The texts of specs, long ones as digests. Equal content gets the very same string, so that it is cheap as a key. */
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
      if (node?.value !== undefined) return node.value;
      const key = canonical(textKey(textOf(spec), LONGEST_TEXT));
      if (node !== undefined) node.value = key;
      return key;
    };
  };
  return { frameOf: internedBy(frameNode, frameText), sizeOf: internedBy(sizeNode, sizeText) };
};

/**
 * Everything about a pod's spec that scheduling reads, compiled; but for its volumes, which mean what the cluster's
 * claims say.
 */
export interface PodShape {
  /** What the containers say, as a text or its digest. Specs of one size and one frame are equal to the solver. */
  readonly size: string;
  /** What is said outside of the containers, likewise: shapes with one frame differ in size only and share their order. */
  readonly frame: string;
  readonly requests: Resources;
  /** In the order in which they are tried. Empty terms: no node can ever suit the pod. */
  readonly relaxationOrder: readonly EqualTerms[];
  readonly preferences: PodPreferences;
  /** What each of the preferences kept asks of a node's labels; undefined for one about other pods. */
  readonly preferred: readonly (Requirements | undefined)[];
  /** Nodes that required terms name, which only spread constraints read. */
  readonly byName: readonly NamedNodes[];
  readonly problem: FieldProblem | undefined;
}

type SpecTexts = Pick<PodShape, 'size' | 'frame'>;

/** Whether the spec could be read at all; what it asks for may be refused all the same. */
export const isReadable = ({ relaxationOrder }: PodShape): boolean => relaxationOrder.length > 0;

/** What the frame of a spec asks for. */
type Asked = Pick<PodShape, 'relaxationOrder' | 'preferences' | 'preferred' | 'byName'>;

const nothing: Asked = { relaxationOrder: [], preferences: { kept: [], cutCount: 0 }, preferred: [], byName: [] };

/** Reads something of a spec once for all specs of one text. */
const oncePerText = <T>(read: (spec: PodSpec) => T): ((spec: PodSpec, text: string) => T) => {
  const known = new Map<string, { readonly answer: T }>();
  return (spec, text) => {
    const found = getOrMake(known, text, () => ({ answer: read(spec) }));
    return found.answer;
  };
};

/** Spec → its alternatives and preferences, or what is wrong with what it asks for. */
const askedReader =
  (catalog: LabelCatalog) =>
  (spec: PodSpec): Asked | FieldProblem => {
    const asked = podRequirements(spec, catalog);
    if (isFieldProblem(asked)) return asked;
    const preferences = podPreferences(spec);
    const byIndex = new Map(asked.preferred.map(({ index, requirements }) => [index, requirements]));
    const preferred = preferences.kept.map(({ kind, index }) => (kind === 'node-affinity' ? byIndex.get(index) : undefined));
    return { relaxationOrder: relaxationOrderOf(asked, spec.tolerations ?? []), preferences, preferred, byName: asked.byName };
  };

/** A shape that is compiled when something of it is first read. */
const compiledLater = ({ size, frame }: SpecTexts, compile: () => PodShape): PodShape => {
  let compiled: PodShape | undefined;
  const shape = (): PodShape => (compiled ??= compile());
  return {
    size,
    frame,
    get requests() {
      return shape().requests;
    },
    get relaxationOrder() {
      return shape().relaxationOrder;
    },
    get preferences() {
      return shape().preferences;
    },
    get preferred() {
      return shape().preferred;
    },
    get byName() {
      return shape().byName;
    },
    get problem() {
      return shape().problem;
    },
  };
};

/**
 * What is wrong with a pod is the pod's fault, not a reason to leave all others without a place. There are many more
 * shapes than sizes and frames: what only one of these says is read once for it.
 */
const compiler = (catalog: LabelCatalog): ((spec: PodSpec, texts: SpecTexts) => PodShape) => {
  const containersProblemOf = oncePerText(podContainersProblem);
  const frameProblemOf = oncePerText(podFrameProblem);
  const askedInFrame = oncePerText(askedReader(catalog));
  const requestsOfSize = oncePerText(requestsOfPodSpec);
  const compile = (spec: PodSpec, { size, frame }: SpecTexts): PodShape => {
    const wrong = containersProblemOf(spec, size) ?? frameProblemOf(spec, frame);
    if (wrong !== undefined) return { size, frame, requests: {}, ...nothing, problem: wrong };
    const areContainersAll = spec.resources === undefined && spec.overhead === undefined;
    const requests = areContainersAll ? requestsOfSize(spec, size) : requestsOfPodSpec(spec);
    const asked = askedInFrame(spec, frame);
    if (isFieldProblem(asked)) return { size, frame, requests, ...nothing, problem: asked };
    return { size, frame, requests, ...asked, problem: undefined };
  };
  return (spec, texts) =>
    isDigestKey(texts.size) || isDigestKey(texts.frame) ? compiledLater(texts, () => compile(spec, texts)) : compile(spec, texts);
};

const shapesOf = memoByObject((_: LabelCatalog) => new WeakMemory<PodSpec, PodShape>());

/**
 * Reads pod specs into shapes. A spec object that was ever read with this catalog costs one look-up, whatever snapshot
 * it comes from; a new object with known content costs its texts; only new content is compiled. One reader gives one
 * shape for one content.
 */
export const shapeReader = (catalog: LabelCatalog): ((spec: PodSpec) => PodShape) => {
  const bySpec = shapesOf(catalog);
  const compile = compiler(catalog);
  const { frameOf, sizeOf } = internedSpecTexts();
  // By one text and then the other: no longer one is put together.
  const shapesIn = memoByKey((_: string) => new Map<string, PodShape>());
  const confirmed = new Set<PodShape>();
  const read = (spec: PodSpec, known: PodShape | undefined): PodShape => {
    const frame = known?.frame ?? frameOf(spec);
    const size = known?.size ?? sizeOf(spec);
    return getOrMake(shapesIn(frame), size, () => {
      const shape = known ?? compile(spec, { size, frame });
      confirmed.add(shape);
      return shape;
    });
  };
  return (spec) => {
    const known = bySpec.get(spec);
    if (known !== undefined && confirmed.has(known)) return known;
    const shape = read(spec, known);
    if (shape !== known) bySpec.set(spec, shape);
    return shape;
  };
};
