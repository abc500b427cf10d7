import type { EventSubject } from '@karpenter/runtime';
import { compareText, textKey } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Clock, DecisionReporter, Reading } from '../../ports/index.ts';
import { aboutPod } from '../observability/events/event-subjects.ts';
import {
  afterPlanWithoutPods,
  afterTrialOfPods,
  blamedNodes,
  DISRUPTION,
  NodeTrials,
  suspectingNodes,
  suspectingOnce,
  WITHOUT_PENDING_PODS,
} from './node-trials.ts';
import { NO_MARK, isCleanMark, namespaceOfScope, parsedMark, shortenedMark, subjectsOfNodes, withBareNodes } from './suspects.ts';
import type { PlanMark, PlanMarks } from './suspects.ts';

/** What ended a process is left out for so long. */
const BLAME_MS = 600_000;
/** Suspects are planned in so many parts: one death narrows them down to a sixteenth. */
const PARTS = 16;
/** A plan under suspicion names so many scopes at most: marks have a length. */
const MOST_SCOPES = 2000;
/** More than a name may have, and a kind that exists. The API server takes owners of any kind, however long. */
const LONGEST_WORKLOAD = 300;

/** The pods of one owner in one namespace, or one pod without an owner. */
const workloadOf = (pod: Pod): string => {
  const { name, ownerReferences: [owner] = [] } = pod.metadata;
  return `${namespaceOf(pod)}/${textKey(owner === undefined ? name : `${owner.kind} ${owner.name}`, LONGEST_WORKLOAD)}`;
};

/** Namespaces contain workloads: a scope is one or the other. */
const isOf = (pod: Pod, scopes: ReadonlySet<string>): boolean => scopes.has(namespaceOf(pod)) || scopes.has(workloadOf(pod));

const inOrder = (scopes: Iterable<string>): readonly string[] => [...new Set(scopes)].sort(compareText);

/** The pods of one plan, and their scopes. */
interface Part {
  readonly pods: readonly Pod[];
  readonly scopes: readonly string[];
}

const partOf = (pods: readonly Pod[], scopes: readonly string[], scopeOf: (pod: Pod) => string): Part => {
  const chosen = new Set(scopes);
  return { pods: pods.filter((pod) => chosen.has(scopeOf(pod))), scopes };
};

/** A plan that may begin. */
export interface PlanTurn {
  readonly snapshot: ClusterSnapshot;
  /**
   * Whether the plan only shows which nodes do the process no harm: most nodes are missing, so nothing of it may be
   * carried out.
   */
  readonly isTrial: boolean;
}

export interface PlanGuardDeps {
  readonly clock: Clock;
  readonly reporter: DecisionReporter;
  readonly marks: PlanMarks;
}

const isWorkload = (scope: string): boolean => scope.includes('/');

/** Whether the scopes are suspects, or workloads of suspected namespaces. */
const areOf = (scopes: readonly string[], suspects: readonly string[]): boolean =>
  scopes.some((scope) => suspects.includes(scope) || suspects.includes(namespaceOfScope(scope)));

/** The list of suspects that waits comes next. */
const withNextSuspects = (mark: PlanMark): PlanMark => ({ ...mark, suspects: mark.waiting.at(-1), waiting: mark.waiting.slice(0, -1) });

/**
 * One of the scopes ended the process: fewer are suspected, or one workload is blamed. `areOthers`: none of them was
 * suspected.
 */
const narrowedWorkloads = (
  found: PlanMark,
  scopes: readonly string[],
  { areOthers, untilMs }: { areOthers: boolean; untilMs: number },
): PlanMark => {
  const [only = ''] = scopes;
  if (scopes.length === 1 && isWorkload(only)) {
    const mark = suspectingOnce({ ...found, blamed: [...found.blamed, { scope: only, untilMs }] });
    return areOthers ? mark : withNextSuspects(mark);
  }
  const { suspects, waiting } = found;
  return { ...found, suspects: scopes, waiting: areOthers && suspects !== undefined ? [...waiting, suspects] : waiting };
};

/** What an end of a provisioning plan with these scopes says about the next ones. */
const afterPlanOfPods = (found: PlanMark, scopes: readonly string[], untilMs: number): PlanMark => {
  const { suspects, provisioning } = found;
  if (provisioning.search !== undefined) {
    const mark = afterTrialOfPods(found, untilMs);
    return mark.provisioning.stage === 'searched' ? { ...mark, suspects: suspects ?? scopes } : mark;
  }
  const areOthers = suspects !== undefined && !areOf(scopes, suspects);
  const isAnyPlan = areOthers || (suspects === undefined && provisioning.stage === 'suspected');
  const mark = narrowedWorkloads(found, scopes, { areOthers, untilMs });
  return isAnyPlan ? suspectingNodes(mark) : mark;
};

/** Work beside plans that may end a process. No namespace, workload or node has such a name. */
const CHORES = [
  ...(['rehearsal', 'minimums of pools', 'validation of a command'] as const),
  ...(['report of a disruption pass', 'metrics', 'snapshot'] as const),
] as const;
export type Chore = (typeof CHORES)[number];

/** Never rests: every plan needs one. */
const SNAPSHOT = 'snapshot';

const isChore = (scope: string): boolean => CHORES.some((chore) => chore === scope);

/** A plan that has work leaves a mark, also where no pod of it is pending. */
const scopesOf = ({ scopes }: Part, hasWork: boolean): readonly string[] =>
  scopes.length === 0 && hasWork ? [WITHOUT_PENDING_PODS] : scopes;

/** Whether a plan has something to place beside pending pods. */
const hasOthers = ({ buffers = [], nodes }: ClusterSnapshot): boolean =>
  buffers.length > 0 || nodes.some(({ isMarkedForDeletion }) => isMarkedForDeletion);

/** The snapshot in which only pending pods wait for a place. */
export const withPendingPodsOnly = ({ buffers: _, ...snapshot }: ClusterSnapshot): ClusterSnapshot => {
  const draining = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  return withBareNodes(
    snapshot,
    draining.map(({ name }) => name),
  );
};

/**
 * Breaks crash loops. Each plan leaves a mark while it runs. If a process finds the mark of another, that one ended
 * during a plan. It then plans the other pods first and the suspects in parts: a second death names fewer. A workload
 * that ended a process while it was planned alone is left out for ten minutes. If processes end whichever pods they
 * plan, the nodes are tried in parts. A node that ends a process while it is tried alone is left out for ten minutes.
 * So it is after two processes in a row ended during a disruption plan, or during a plan without pending pods; if it
 * is no node, there is no disruption for ten minutes, or plans are for pending pods only. What else may end a
 * process, as `Chore` lists it, rests for ten minutes after two ends in a row.
 */
export class PlanGuard {
  readonly #deps: PlanGuardDeps;
  readonly #startMs: number;
  #mark: PlanMark;
  /** What the next process would find, if it was written; undefined: nothing. */
  #noted: string | undefined;
  #isWritten = true;
  #unreported: readonly string[];
  /** Scopes of the plans that run. */
  #planned: readonly string[] = [];
  #disrupting: readonly string[] = [];
  /** Chore → how many of it run: scrapes may overlap. */
  readonly #chores = new Map<Chore, number>();
  /** Scopes of the last provisioning plan. */
  #last: readonly string[] = [];
  /** Suspects that were planned by this process, and did it no harm. */
  readonly #cleared = new Set<string>();
  readonly #trials = { provisioning: new NodeTrials('provisioning'), disruption: new NodeTrials('disruption') };
  #isTrial = false;

  constructor(deps: PlanGuardDeps) {
    this.#deps = deps;
    this.#startMs = deps.clock.now();
    this.#noted = deps.marks.read();
    const found = this.#noted === undefined ? NO_MARK : parsedMark(this.#noted);
    this.#unreported = found.during;
    this.#mark = this.#after(found);
  }

  /** Whether suspects are left that this process has not planned yet: they come next. */
  get hasMore(): boolean {
    return this.#mark.suspects !== undefined || this.#isTrial;
  }

  /** The next provisioning plan. Call `end` when it is made. */
  begin(given: ClusterSnapshot): PlanTurn {
    const nowMs = this.#deps.clock.now();
    const pods = this.#withoutBlamed(given.pendingPods, nowMs);
    const waiting = this.#isBlamed(WITHOUT_PENDING_PODS, nowMs) ? withPendingPodsOnly(given) : given;
    // A trial of a plan that has nothing to place would show nothing.
    const hasWork = pods.length > 0 || hasOthers(waiting);
    if (hasWork) this.#mark = this.#trials.provisioning.begin(this.#mark, waiting.nodes, nowMs);
    this.#isTrial = this.#mark.provisioning.search !== undefined && hasWork;
    const part = this.#isTrial ? { pods, scopes: inOrder(pods.map(namespaceOf)) } : this.#nextPart(pods);
    this.#tell(given);
    this.#planned = scopesOf(part, hasWork);
    this.#last = this.#planned;
    this.#note();
    if (!this.#isTrial) for (const scope of part.scopes) this.#cleared.add(scope);
    const snapshot = part.pods.length === waiting.pendingPods.length ? waiting : { ...waiting, pendingPods: part.pods };
    return { snapshot: withBareNodes(snapshot, this.#bareNodes(waiting)), isTrial: this.#isTrial };
  }

  end(): void {
    const { suspects } = this.#mark;
    const isWhole = suspects === undefined && this.#planned.length > 0;
    if (this.#isTrial || isWhole) this.#mark = this.#trials.provisioning.end(this.#mark);
    else if (suspects?.every((scope) => this.#cleared.has(scope)) === true) this.#mark = withNextSuspects(this.#mark);
    this.#planned = [];
    this.#note();
  }

  /** Reports the last provisioning plan, under its mark: the text of a rejection may end a process as its plan may. */
  async reporting(report: () => Promise<void>): Promise<void> {
    this.#planned = this.#last;
    this.#note();
    try {
      await report();
    } finally {
      this.#planned = [];
      this.#note();
    }
  }

  /** Does what is no plan, under a mark of its own; undefined: it ended two processes in a row, and rests. */
  async attempt<T>(chore: Chore, work: () => T | Promise<T>): Promise<T | undefined> {
    if (this.#isBlamed(chore, this.#deps.clock.now())) return undefined;
    this.#beginChore(chore);
    try {
      return await work();
    } finally {
      this.#endChore(chore);
    }
  }

  /** A snapshot, under a mark by which the next process names it. */
  snapshot(read: () => ClusterSnapshot): ClusterSnapshot {
    this.#beginChore(SNAPSHOT);
    try {
      return read();
    } finally {
      this.#endChore(SNAPSHOT);
    }
  }

  /** The series of a metric, under a mark until they are read; none while metrics rest. */
  *series(read: () => Iterable<Reading>): Iterable<Reading> {
    if (this.#isBlamed('metrics', this.#deps.clock.now())) return;
    this.#beginChore('metrics');
    try {
      yield* read();
    } finally {
      this.#endChore('metrics');
    }
  }

  /** The next disruption plan, which leaves its mark; undefined: none may begin. Call `endDisruption` when it is made. */
  beginDisruption(snapshot: ClusterSnapshot): PlanTurn | undefined {
    const nowMs = this.#deps.clock.now();
    if (this.#unreported.every((scope) => scope === DISRUPTION || isChore(scope))) this.#tell(snapshot);
    if (this.#isBlamed(DISRUPTION, nowMs)) return undefined;
    this.#mark = this.#trials.disruption.begin(this.#mark, snapshot.nodes, nowMs);
    this.#disrupting = [DISRUPTION];
    this.#note();
    const { disruption } = this.#mark;
    if (disruption.search === undefined) return { snapshot: this.withoutBlamedNodes(snapshot), isTrial: false };
    const names = new Set(disruption.search.tried);
    return { snapshot: { ...snapshot, nodes: snapshot.nodes.filter(({ name }) => names.has(name)) }, isTrial: true };
  }

  /** The snapshot in which nodes that ended plans are there by their names only. */
  withoutBlamedNodes(snapshot: ClusterSnapshot): ClusterSnapshot {
    return withBareNodes(snapshot, blamedNodes(this.#mark.blamed, 'disruption', 'provisioning'));
  }

  endDisruption(): void {
    this.#disrupting = [];
    const { disruption, blamed } = this.#mark;
    const isTrial = disruption.search !== undefined;
    this.#mark = this.#trials.disruption.end(
      isTrial ? this.#mark : { ...this.#mark, blamed: blamed.filter(({ scope }) => scope !== DISRUPTION) },
    );
    this.#note();
  }

  #beginChore(chore: Chore): void {
    this.#chores.set(chore, (this.#chores.get(chore) ?? 0) + 1);
    this.#note();
  }

  /**
   * One metric that was read says nothing about the others: whether all are harmless shows once the process has served
   * scrapes for a while.
   */
  #endChore(chore: Chore): void {
    const others = (this.#chores.get(chore) ?? 1) - 1;
    if (others > 0) this.#chores.set(chore, others);
    else this.#chores.delete(chore);
    if (chore !== 'metrics' || this.#deps.clock.now() >= this.#startMs + BLAME_MS)
      this.#mark = { ...this.#mark, ended: this.#mark.ended.filter((scope) => scope !== chore) };
    this.#note();
  }

  /** The nodes that a provisioning plan sees by their names only. */
  #bareNodes({ nodes }: ClusterSnapshot): readonly string[] {
    const { blamed, provisioning } = this.#mark;
    if (!this.#isTrial) return blamedNodes(blamed, 'provisioning');
    const tried = new Set(provisioning.search?.tried);
    return nodes.map(({ name }) => name).filter((name) => !tried.has(name));
  }

  /** Writes what the next process needs to know if this one ends now, before what may end it begins. */
  #note(): void {
    const mark = { ...this.#mark, during: [...this.#planned, ...this.#disrupting, ...this.#chores.keys()] };
    const text = isCleanMark(mark) ? undefined : JSON.stringify(mark);
    if (this.#isWritten && text === this.#noted) return;
    const { marks } = this.#deps;
    this.#noted = text;
    this.#isWritten = text === undefined ? marks.clear() : marks.write(text) || marks.write(JSON.stringify(shortenedMark(mark)));
  }

  /** What an end during these scopes says about the next plans. */
  #after(found: PlanMark): PlanMark {
    const untilMs = this.#deps.clock.now() + BLAME_MS;
    const { during } = found;
    const chores = during.filter(isChore);
    const twice = chores.filter((scope) => scope !== SNAPSHOT && found.ended.includes(scope)).map((scope) => ({ scope, untilMs }));
    const ended = [...new Set([...found.ended, ...chores])];
    let mark: PlanMark = { ...found, blamed: [...found.blamed, ...twice], ended, during: [] };
    if (during.includes(DISRUPTION)) mark = afterPlanWithoutPods(mark, 'disruption', untilMs);
    if (during.includes(WITHOUT_PENDING_PODS)) return afterPlanWithoutPods(mark, 'provisioning', untilMs);
    const scopes = during.filter((scope) => scope !== DISRUPTION && !isChore(scope));
    return scopes.length === 0 ? mark : afterPlanOfPods(mark, scopes, untilMs);
  }

  #isBlamed(scope: string, nowMs: number): boolean {
    return this.#mark.blamed.some((each) => each.scope === scope && each.untilMs > nowMs);
  }

  #withoutBlamed(pods: readonly Pod[], nowMs: number): readonly Pod[] {
    // A disruption plan and trials see to nodes.
    const blamed = this.#mark.blamed.filter(({ untilMs, of }) => untilMs > nowMs || of !== undefined);
    if (blamed.length < this.#mark.blamed.length) this.#mark = { ...this.#mark, blamed };
    const scopes = new Set(blamed.map(({ scope }) => scope));
    return scopes.size === 0 ? pods : pods.filter((pod) => !isOf(pod, scopes));
  }

  /** All pods; under suspicion those of no suspect first, then the suspects part by part. */
  #nextPart(pods: readonly Pod[]): Part {
    const { suspects, waiting } = this.#mark;
    if (suspects === undefined) return { pods, scopes: inOrder(pods.map(namespaceOf)) };
    const suspected = new Set([...suspects, ...waiting.flat()]);
    const others = pods.filter((pod) => !isOf(pod, suspected));
    if (others.length === 0 || this.#cleared.has('')) return this.#suspectedPart(pods, suspects);
    // Where workloads are suspected, the others of their namespace are named one by one: the namespace is not what
    // may end the process.
    const split = new Set([...suspected].filter(isWorkload).map(namespaceOfScope));
    const scopeOf = (pod: Pod): string => (split.has(namespaceOf(pod)) ? workloadOf(pod) : namespaceOf(pod));
    const left = inOrder(others.map(scopeOf)).filter((scope) => !this.#cleared.has(scope));
    if (left.length <= MOST_SCOPES) this.#cleared.add('');
    return partOf(others, left.slice(0, MOST_SCOPES), scopeOf);
  }

  #suspectedPart(pods: readonly Pod[], suspects: readonly string[]): Part {
    const suspected = new Set(suspects);
    const own = pods.filter((pod) => isOf(pod, suspected));
    // A namespace that is alone under suspicion is planned by its workloads.
    const isSplit = suspects.length === 1;
    const scopeOf = (pod: Pod): string => (isSplit || suspected.has(workloadOf(pod)) ? workloadOf(pod) : namespaceOf(pod));
    const scopes = inOrder(own.map(scopeOf));
    const left = scopes.filter((scope) => !this.#cleared.has(scope));
    const next = left.slice(0, Math.min(MOST_SCOPES, Math.max(1, Math.ceil(scopes.length / PARTS))));
    // Nothing is left of them: their pods are gone, or all were planned.
    if (next.length >= left.length) for (const suspect of suspects) this.#cleared.add(suspect);
    return partOf(own, next, scopeOf);
  }

  /** Once, and when there is somebody to name. */
  #tell({ pendingPods, nodes }: Pick<ClusterSnapshot, 'pendingPods' | 'nodes'>): void {
    if (this.#unreported.length === 0) return;
    const { blamed } = this.#mark;
    const untilMs = this.#deps.clock.now() + BLAME_MS;
    this.#deps.reporter.report({ kind: 'unclean-end', during: this.#unreported, untilMs });
    this.#unreported = [];
    const scopes = new Set(blamed.map(({ scope }) => scope));
    const pods = pendingPods.filter((pod) => scopes.size > 0 && isOf(pod, scopes));
    const quarantine = (subjects: readonly EventSubject[], what: string): void => {
      if (subjects.length > 0)
        this.#deps.reporter.report({ kind: 'quarantined', subjects, error: new Error(`the process ended while it ${what}`), untilMs });
    };
    quarantine(pods.map(aboutPod), 'planned this pod');
    quarantine(subjectsOfNodes(nodes, new Set(blamedNodes(blamed, 'provisioning'))), 'planned pods beside this node');
    quarantine(subjectsOfNodes(nodes, new Set(blamedNodes(blamed, 'disruption'))), 'planned to disrupt this node');
  }
}
