import type { Steps } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';
import type { EqualTerms } from '../pod-classes/node-term.ts';
import { chargeNode, mustStartTogether, placingOneByOne, startTogether } from './topology-placement.ts';
import type { UnchargedNode, TopologyWorkingSet } from './topology-placement.ts';
import { placingWithDevices } from './device-placement.ts';
import type { DeviceWorkingSet, NodeStart } from './device-placer.ts';
import { NodeSizes } from './node-sizes.ts';
import { levelsOf, placingByPreference } from './preference-placement.ts';
import { RelaxedTally } from './relaxed-tally.ts';
import type { CompiledDevices } from '../devices/compiled-devices.ts';
import type { DeviceShortage } from '../devices/device-ledger.ts';
import { nodeCost } from '../packing/unit-prices.ts';
import { openNewNode } from '../nodes/new-nodes/new-node.ts';
import type { IncomingPod, NewNode } from '../nodes/new-nodes/new-node.ts';
import type { ExistingNodes } from '../nodes/existing-nodes/existing-nodes.ts';
import type { NodeCells } from '../nodes/existing-nodes/node-search.ts';
import { NewNodes } from '../nodes/new-nodes/new-nodes.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import type { DomainOrder } from '../topology/domain-table.ts';
import type { Topology } from '../topology/topology.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';

/** Where pods can go, compiled once per snapshot. */
export interface Places {
  readonly existing: ExistingNodes;
  /** In the order in which they are tried. */
  readonly templates: readonly NodeTemplate[];
  /** Reservation → how many machines may still be planned into it. */
  readonly reservations: ReadonlyMap<string, number>;
  /** For pods with topology constraints or preferences; absent where no pod of the snapshot has any. */
  readonly withTopology:
    (Pick<TopologyWorkingSet, 'preferencePricePerHour'> & { readonly topology: Topology; readonly cells: NodeCells }) | undefined;
  /** For pods that claim devices; absent where no pod of the snapshot does. */
  readonly devices: CompiledDevices | undefined;
}

/** Which instance types one solve may plan. Rules with the same text are equal. */
export interface TypeRule {
  readonly text: string;
  readonly keeps: (type: InstanceType) => boolean;
  /** Pools that launch nothing. Absent: all may. */
  readonly closed?: ReadonlySet<NodePoolView>;
}

/** One what-if question. */
export interface Question {
  readonly podSets: readonly PodSet[];
  /** Nodes that count as gone. */
  readonly gone: readonly NodeView[];
  /** Names of nodes that stay, and take no pods. */
  readonly closed: Iterable<string>;
  /** The pods of such a node that are among the pod sets. */
  readonly movingFrom: (node: NodeView) => readonly Pod[];
  readonly shouldStop: () => boolean;
  /** Default: `emptiest`. */
  readonly domainOrder?: DomainOrder;
  /** Absent: any type may be planned. */
  readonly types?: TypeRule | undefined;
  /** Whether a pod joins an open new node only where that costs no more than a node of its own. */
  readonly isFrugal?: boolean | undefined;
  /** Whether pods get new nodes by one ORed term before nodes that are there by the next. */
  readonly isTermByTerm?: boolean | undefined;
  /** Whether new nodes for pods with device claims have the sizes that cost least. If not, they grow freely. */
  readonly hasSizedNodes?: boolean | undefined;
  /**
   * Whether a solution with these unplaced pods would place some pods of a pod group, and too few. Absent: there are no
   * groups.
   */
  readonly tearsGroup?: (unplaced: readonly UnplacedPods[]) => boolean;
}

/** What is left of a pod set: the last `count` of its pods. */
export interface UnplacedPods {
  readonly podSet: PodSet;
  readonly count: number;
  readonly wasStopped: boolean;
  /** Of pods with device claims. */
  readonly shortage?: DeviceShortage | undefined;
}

/** The first-fit answer. What went on existing nodes stands in the log of `existing`. */
export interface Solution {
  readonly newNodes: readonly NewNode[];
  readonly unplaced: readonly UnplacedPods[];
  /** Template → what its limits still allow. */
  readonly ledgers: ReadonlyMap<NodeTemplate, LimitLedger>;
  /** The preferences that pods were placed without. */
  readonly relaxed: RelaxedTally;
  /** How much was searched for devices. */
  readonly deviceWork: number;
  /**
   * Whether some pod sets were placed out of turn. Pods that depend on others then stay where they are: they may have a
   * place only because of that.
   */
  readonly isOutOfOrder?: boolean;
  /** The pod sets in the order in which they were placed. */
  readonly order: readonly PodSet[];
}

/** What one solve fills: pods go on existing nodes and new ones, and these are charged to the limits of their pools. */
interface WorkingSet {
  readonly existing: ExistingNodes;
  readonly open: NewNodes;
  /** What new nodes can begin as, in the order of templates. */
  readonly starts: readonly NodeStart[];
  readonly relaxed: RelaxedTally;
  readonly isFrugal: boolean;
  readonly isTermByTerm: boolean;
  /** The same for pods with topology constraints or preferences; absent where there are none. */
  readonly withTopology: TopologyWorkingSet | undefined;
  /** The same for pods that claim devices. */
  readonly withDevices: DeviceWorkingSet | undefined;
}

const startsOf = (ledgers: Solution['ledgers']): readonly NodeStart[] =>
  [...ledgers].flatMap(([{ initial }, ledger]) => (initial === undefined ? [] : [{ initial, ledger }]));

/** A node from the first template that can make one, within the limits of its pool, which are not charged yet. */
const findNode = (
  starts: readonly NodeStart[],
  make: (initial: NodeState, allowedTypes: NewNode['allowedTypes']) => NewNode | undefined,
): UnchargedNode | undefined => {
  for (const { initial, ledger } of starts) {
    const newNode = make(initial, ledger.allowedTypes());
    if (newNode !== undefined && ledger.allows(newNode.fit)) return { newNode, ledger };
  }
  return undefined;
};

/** How many pods are put on new nodes that are open without a pause: about a millisecond. */
const PODS_A_STEP = 2048;

/** How many new nodes are opened without a pause: each takes up to a few hundred pods. */
const NODES_A_STEP = 16;

/**
 * As many as the new nodes that are open take. What one of them refused it refuses again: portions change nothing.
 */
function* placingOnOpen(incoming: IncomingPod, wanted: number, open: NewNodes): Steps<number> {
  for (let placed = 0; ;) {
    const chunk = Math.min(PODS_A_STEP, wanted - placed);
    const taken = chunk === 0 ? 0 : open.place(incoming, chunk);
    placed += taken;
    if (taken < chunk || placed === wanted) return placed;
    yield;
  }
}

/** On new nodes that are open where that costs no more than a further one, and on further ones. */
function* placingFrugally(incoming: IncomingPod, wanted: number, { open, starts }: WorkingSet): Steps<number> {
  for (let placed = 0; ;) {
    const found = findNode(starts, (initial, allowedTypes) => openNewNode(initial, incoming, allowedTypes));
    open.mostGrowth = found === undefined ? Number.POSITIVE_INFINITY : nodeCost(found.newNode.fit);
    const joined = open.place(incoming, wanted - placed);
    open.mostGrowth = Number.POSITIVE_INFINITY;
    placed += joined;
    if (placed === wanted || found === undefined) return placed;
    if (joined === 0) {
      open.push(chargeNode(found));
      placed++;
    }
    yield;
  }
}

/** On further new nodes, as many as they take. */
function* placingOnNew(incoming: IncomingPod, wanted: number, { open, starts }: WorkingSet): Steps<number> {
  let placed = 0;
  for (let opened = 1; placed < wanted; opened++) {
    const found = findNode(starts, (initial, allowedTypes) => openNewNode(initial, incoming, allowedTypes));
    if (found === undefined) return placed;
    open.push(chargeNode(found));
    placed++;
    placed += open.placeOnNewest(incoming, wanted - placed);
    if (opened % NODES_A_STEP === 0) yield;
  }
  return placed;
}

/** For how many terms all existing nodes are read without a pause. */
const TERMS_A_STEP = 16;

type Placing = (incoming: IncomingPod, wanted: number, set: WorkingSet) => Steps<number>;

/** Ways to place pods on nodes to come, in turn. Nodes only fill up, so each is tried once per class and term. */
const placings: readonly Placing[] = [(incoming, wanted, { open }) => placingOnOpen(incoming, wanted, open), placingOnNew];
const frugalPlacings: readonly Placing[] = [placingFrugally];

/** Existing nodes by any of the terms, then new nodes that are open, then further ones: a node that is there costs nothing. */
function* placingByTerms(podClass: PodClass, { terms, wanted }: { terms: EqualTerms; wanted: number }, set: WorkingSet): Steps<number> {
  let placed = 0;
  for (const [index, term] of terms.entries()) {
    if (placed === wanted) return placed;
    placed += set.existing.place({ podClass, term }, wanted - placed);
    if (index % TERMS_A_STEP === TERMS_A_STEP - 1) yield;
  }
  for (const place of set.isFrugal ? frugalPlacings : placings) {
    for (const term of terms) {
      if (placed === wanted) return placed;
      placed += yield* place({ podClass, term }, wanted - placed, set);
      yield;
    }
  }
  return placed;
}

/**
 * Term by term, existing nodes and open new nodes first, again as long as that places some. A pod may open a domain
 * for the next.
 */
function* placingWithTopology(podSet: PodSet, wanted: number, set: TopologyWorkingSet): Steps<number> {
  const { podClass } = podSet;
  const { topology: classTopology } = podClass;
  if (classTopology === undefined) return 0;
  const checks = classTopology.required;
  const levels = levelsOf(podSet).map((terms) => terms.map((term) => ({ incoming: { podClass, term, checks }, checks, classTopology })));
  let placed = wanted > 1 && mustStartTogether(checks) && startTogether(levels.flat(), wanted, set) ? 1 : 0;
  const passes = levels.flatMap((level) =>
    level.length < 2 || set.isTermByTerm ? [{ level, mayOpen: true }] : [false, true].map((mayOpen) => ({ level, mayOpen })),
  );
  for (let before = -1; before < placed && placed < wanted;) {
    before = placed;
    for (const { level, mayOpen } of passes) {
      for (const incoming of level) {
        if (placed < wanted) placed += yield* placingOneByOne(incoming, wanted - placed, { ...set, mayOpen });
        yield;
      }
    }
  }
  return placed;
}

/** Places up to `wanted` pods of the pod set. Returns how many it placed. */
function* placing(podSet: PodSet, wanted: number, set: WorkingSet): Steps<number> {
  const { unknownResource, problem } = podSet.podClass;
  if (unknownResource !== undefined || problem !== undefined) return 0;
  return yield* placingSound(podSet, wanted, set);
}

function* placingSound(podSet: PodSet, wanted: number, set: WorkingSet): Steps<number> {
  const { podClass } = podSet;
  if (podClass.devices !== undefined) return set.withDevices === undefined ? 0 : yield* placingWithDevices(podSet, wanted, set.withDevices);
  if (podClass.preferences.length > 0)
    return set.withTopology === undefined ? 0 : yield* placingByPreference(podSet, wanted, set.withTopology);
  if (podClass.topology !== undefined)
    return set.withTopology === undefined ? 0 : yield* placingWithTopology(podSet, wanted, set.withTopology);
  let placed = 0;
  const lists = set.isTermByTerm ? levelsOf(podSet).flatMap((level) => level.map((term) => [term])) : levelsOf(podSet);
  for (const terms of lists) placed += yield* placingByTerms(podClass, { terms, wanted: wanted - placed }, set);
  return placed;
}

const shortage = ({ podClass: { devices } }: PodSet, { withDevices }: WorkingSet): Pick<UnplacedPods, 'shortage'> =>
  devices === undefined || withDevices === undefined ? {} : { shortage: withDevices.ledger.shortageOf(devices) };

/** Tries pods with topology constraints again, as long as that places some: others may have come that they depend on. */
function* retrying(unplaced: readonly UnplacedPods[], set: WorkingSet, shouldStop: () => boolean): Steps<readonly UnplacedPods[]> {
  let waiting = unplaced;
  for (let progress = true; progress && !shouldStop();) {
    progress = false;
    const stillWaiting: UnplacedPods[] = [];
    for (const unplacedPods of waiting) {
      const { podSet, count, wasStopped } = unplacedPods;
      const isHopeless = wasStopped || podSet.podClass.topology === undefined;
      const placed = isHopeless ? 0 : yield* placing(podSet, count, set);
      progress ||= placed > 0;
      if (placed < count) stillWaiting.push({ ...unplacedPods, count: count - placed, ...shortage(podSet, set) });
    }
    waiting = stillWaiting;
  }
  return waiting;
}

const workingSet = (
  { existing, templates, withTopology, devices }: Places,
  question: Question,
  ledgers: Solution['ledgers'],
): WorkingSet => {
  const open = new NewNodes(existing.resourceCount, withTopology?.topology.domains);
  const relaxed = new RelaxedTally();
  const topology = withTopology?.topology;
  const starts = startsOf(ledgers);
  const isFrugal = question.isFrugal === true;
  const isTermByTerm = question.isTermByTerm === true;
  return {
    ...{ existing, open, starts, relaxed, isFrugal, isTermByTerm },
    withTopology: withTopology && {
      ...withTopology,
      existing,
      open,
      templates,
      relaxed,
      isFrugal,
      isTermByTerm,
      findNode: findNode.bind(undefined, starts),
    },
    withDevices: devices && {
      ...{ existing, open, topology, relaxed, ledger: devices.ledgerFor(question), starts },
      preferencePricePerHour: withTopology?.preferencePricePerHour,
      sizes: question.hasSizedNodes === true ? new NodeSizes(question.podSets) : undefined,
    },
  };
};

/**
 * First-fit, the largest class first. Each pod goes on an existing node if one takes it, else on a new node that is
 * open, else on a further new node. The ledgers are charged for new nodes.
 */
export function* solving(places: Places, question: Question, ledgers: Solution['ledgers']): Steps<Solution> {
  const { podSets, shouldStop } = question;
  const set = workingSet(places, question, ledgers);
  const { open, relaxed } = set;
  const unplaced: UnplacedPods[] = [];
  let wasStopped = false;
  for (const podSet of podSets) {
    wasStopped ||= shouldStop();
    const placed = wasStopped ? 0 : yield* placing(podSet, podSet.pods.length, set);
    if (placed < podSet.pods.length) unplaced.push({ podSet, count: podSet.pods.length - placed, wasStopped, ...shortage(podSet, set) });
  }
  const left = places.withTopology === undefined ? unplaced : yield* retrying(unplaced, set, shouldStop);
  return { newNodes: open.newNodes, unplaced: left, ledgers, relaxed, deviceWork: set.withDevices?.ledger.work ?? 0, order: podSets };
}
