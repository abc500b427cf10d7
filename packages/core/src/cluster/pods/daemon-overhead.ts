import type { LabelCatalog } from '../../apis/index.ts';
import {
  addCommonInto,
  compareText,
  emptyBitSet,
  fullBitSet,
  hasBit,
  intersectInto,
  isEmptyBitSet,
  isFieldProblem,
  memoByObject,
} from '../../base/index.ts';
import type { BitSet, Steps } from '../../base/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import {
  byAge,
  hostPortsOf,
  isDaemonPod,
  namespacedNameOf,
  namespaceOf,
  requestsOfPodSpec,
  sumResources,
  tolerates,
} from '../../kube/index.ts';
import type { DaemonSet, HostPort, Pod, PodSpec, Resources, Taint, Toleration } from '../../kube/index.ts';
import { compatible, firstUnmet, podRequirements } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { NodeView } from '../node-view.ts';

const NONE: readonly Pod[] = [];

/** Views are shared between snapshots: each is read once. */
const daemonPodsOn = memoByObject((node: NodeView): readonly Pod[] => {
  const pods = node.pods.filter(isDaemonPod);
  return pods.length === 0 ? NONE : pods;
});

/** How to look up the DaemonSet of a pod. */
const keysOf = (pod: Pod): readonly string[] => {
  const owner = pod.metadata.ownerReferences?.find(({ kind }) => kind === 'DaemonSet');
  return owner === undefined ? [] : [owner.uid, `${namespaceOf(pod)}/${owner.name}`];
};

/** DaemonSet, by its uid and by `namespace/name` → the newest of its pods on the nodes; ties by name. */
const newestDaemonPods = (nodes: readonly NodeView[]): ReadonlyMap<string, Pod> => {
  const newest = new Map<string, Pod>();
  for (const pod of nodes.flatMap(daemonPodsOn)) {
    for (const key of keysOf(pod)) {
      const before = newest.get(key);
      if (before === undefined || byAge(before, pod) < 0) newest.set(key, pod);
    }
  }
  return newest;
};

/** A DaemonSet as a place sees it: what its pod takes, and where it goes. */
export interface Daemon {
  /** `namespace/name`. */
  readonly name: string;
  readonly uid: string | undefined;
  readonly spec: PodSpec;
  readonly requests: Resources;
  readonly ports: readonly HostPort[];
  readonly tolerations: readonly Toleration[];
  /** Any one of these is enough. */
  readonly alternatives: readonly Requirements[];
}

/** What the nodes of one template have in common before a type is chosen. */
export interface NodeBlueprint {
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
}

/** Instance types on which the same daemon pods will run. */
export interface DaemonGroup {
  /** Numbers of the types in the list that was given. */
  readonly types: readonly number[];
  /** Their names, in order. */
  readonly daemons: readonly string[];
  readonly overhead: Resources;
}

/** What the pod template of a DaemonSet asks of a node, by catalog and spec. Read once: its terms may be thousands. */
export const daemonRequirements = memoByObject((catalog: LabelCatalog) => memoByObject((spec: PodSpec) => podRequirements(spec, catalog)));

/**
 * The DaemonSets by name, with the requests of their pods: those of the newest that runs on one of the nodes.
 * Namespace defaults, sidecars and advised requests come on top of the template; as the template says while none
 * runs. One whose affinity cannot be read runs nowhere as far as we know.
 */
export const daemonsOf = (daemonSets: readonly DaemonSet[], catalog: LabelCatalog, nodes: readonly NodeView[] = []): readonly Daemon[] => {
  const newest = newestDaemonPods(nodes);
  return daemonSets
    .map(({ metadata, spec: { template } }) => {
      const asked = daemonRequirements(catalog)(template.spec);
      const name = namespacedNameOf(metadata);
      const running = newest.get(metadata.uid ?? name)?.spec ?? template.spec;
      return {
        name,
        uid: metadata.uid,
        spec: running,
        requests: requestsOfPodSpec(running),
        ports: hostPortsOf(running),
        tolerations: template.spec.tolerations ?? [],
        alternatives: isFieldProblem(asked) ? [] : asked.alternatives,
      };
    })
    .sort((a, b) => compareText(a.name, b.name));
};

/** The daemon with the alternatives that nodes of the template can meet; undefined where there is none. */
const onTemplate = (daemon: Daemon, { requirements, taints }: NodeBlueprint, catalog: LabelCatalog): Daemon | undefined => {
  if (!tolerates(taints, daemon.tolerations)) return undefined;
  const alternatives = daemon.alternatives.filter(
    (wanted) => compatible(requirements, wanted, { allowUndefined: catalog.wellKnown }) === undefined,
  );
  return alternatives.length === 0 ? undefined : { ...daemon, alternatives };
};

const typesFor = ({ alternatives }: Daemon, { types, typesMeeting }: CompiledCatalog): BitSet => {
  const found = emptyBitSet(types.length);
  for (const wanted of alternatives) {
    const meeting = fullBitSet(types.length);
    for (const requirement of wanted.values()) intersectInto(meeting, typesMeeting(requirement));
    addCommonInto(found, meeting, meeting);
  }
  return found;
};

/** Daemons that run on the same types. */
interface EqualDaemons {
  readonly types: BitSet;
  readonly daemons: Daemon[];
}

/** So many terms of DaemonSets, or types, take about a millisecond. */
const TERMS_A_STEP = 256;
const TYPES_A_STEP = 256;

/** The daemons that run on some type of the template, by the types. Costs the terms of the DaemonSets, not the types. */
function* groupingEqualDaemons(candidates: readonly Daemon[], catalog: CompiledCatalog): Steps<readonly EqualDaemons[]> {
  const byTypes = new Map<string, EqualDaemons>();
  let terms = 0;
  for (const daemon of candidates) {
    const types = typesFor(daemon, catalog);
    const key = types.join();
    const found = byTypes.get(key) ?? { types, daemons: [] };
    found.daemons.push(daemon);
    byTypes.set(key, found);
    terms += daemon.alternatives.length;
    if (terms < TERMS_A_STEP) continue;
    terms = 0;
    yield;
  }
  return [...byTypes.values()].filter(({ types }) => !isEmptyBitSet(types));
}

const groupOf = (equals: readonly EqualDaemons[], first: number): DaemonGroup & { readonly types: number[] } => {
  const running = equals.flatMap(({ daemons }) => daemons).sort((a, b) => compareText(a.name, b.name));
  return { types: [first], daemons: running.map(({ name }) => name), overhead: sumResources(running.map(({ requests }) => requests)) };
};

/**
 * The types of a template by the daemon pods that will run there, in the order of their first type. All required terms
 * of a DaemonSet are tried; nothing is changed by reading.
 */
export function* groupingByDaemons(
  daemons: readonly Daemon[],
  catalog: CompiledCatalog,
  { template, labelCatalog }: { readonly template: NodeBlueprint; readonly labelCatalog: LabelCatalog },
): Steps<readonly DaemonGroup[]> {
  const candidates = daemons.flatMap((daemon) => onTemplate(daemon, template, labelCatalog) ?? []);
  yield;
  const equals = yield* groupingEqualDaemons(candidates, catalog);
  const groups = new Map<string, DaemonGroup & { readonly types: number[] }>();
  for (const number of catalog.types.keys()) {
    const running = equals.filter(({ types }) => hasBit(types, number));
    // A daemon is among the equals of one group only.
    const key = running.map(({ daemons: [first] }) => first?.name).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, groupOf(running, number));
    else group.types.push(number);
    if (number % TYPES_A_STEP === 0) yield;
  }
  return [...groups.values()];
}

const runsAlready = (daemon: Daemon, node: NodeView): boolean =>
  node.pods.some(
    (pod) =>
      isDaemonPod(pod) &&
      pod.metadata.ownerReferences?.some((owner) =>
        daemon.uid === undefined ? `${namespaceOf(pod)}/${owner.name}` === daemon.name : owner.uid === daemon.uid,
      ),
  );

/** The daemons that belong on a node that runs, and have not come yet. */
export const daemonsExpectedOn = (node: NodeView, daemons: readonly Daemon[]): readonly Daemon[] =>
  daemons.filter(
    (daemon) =>
      tolerates(node.taints, daemon.tolerations) &&
      daemon.alternatives.some((wanted) => firstUnmet(wanted, node.labels) === undefined) &&
      !runsAlready(daemon, node),
  );
