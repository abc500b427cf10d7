import type { EventSubject } from '@karpenter/runtime';
import { compareText } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Clock, DecisionReporter } from '../../ports/index.ts';
import { afterDisruptionEnd, blamedNodes, DISRUPTION, isNodeBlame, NodeTrials } from './node-trials.ts';
import { NO_MARK, parsedMark } from './plan-marks.ts';
import type { Blame, PlanMark, PlanMarks } from './plan-marks.ts';
import { subjectsOfNodes, withBareNodes } from './suspects.ts';

/** What ended a process is left out for so long. */
const BLAME_MS = 600_000;
/** Suspects are planned in so many parts: one death narrows them down to a sixteenth. */
const PARTS = 16;

const namespaceOf = ({ metadata: { namespace = 'default' } }: Pod): string => namespace;

/** The pods of one owner in one namespace, or one pod without an owner. */
const workloadOf = (pod: Pod): string => {
  const { name, ownerReferences: [owner] = [] } = pod.metadata;
  return `${namespaceOf(pod)}/${owner === undefined ? name : `${owner.kind} ${owner.name}`}`;
};

/** Namespaces contain workloads: a unit is one or the other. */
const isOf = (pod: Pod, units: ReadonlySet<string>): boolean => units.has(namespaceOf(pod)) || units.has(workloadOf(pod));

const inOrder = (units: Iterable<string>): readonly string[] => [...new Set(units)].sort(compareText);

const subjectOfPod = ({ metadata: { name, namespace = 'default', uid } }: Pod): EventSubject => ({
  ...{ apiVersion: 'v1', kind: 'Pod', name, namespace },
  ...(uid === undefined ? {} : { uid }),
});

/** The pods of one plan, and their units. */
interface Part {
  readonly pods: readonly Pod[];
  readonly units: readonly string[];
}

/** A disruption plan that may begin. */
export interface DisruptionTurn {
  readonly snapshot: ClusterSnapshot;
  /** Whether the plan only shows which nodes do the process no harm: most nodes are missing, so nothing of it may be carried out. */
  readonly isTrial: boolean;
}

export interface PlanGuardDeps {
  readonly clock: Clock;
  readonly reporter: DecisionReporter;
  readonly marks: PlanMarks;
}

/**
 * Breaks crash loops. Each plan leaves a mark while it runs. If a process finds the mark of another, that one ended during a plan: it then plans the
 * others first and the suspects in parts, so that a second death names fewer. A workload that ended a process while it was planned alone is left out
 * for ten minutes. After two processes in a row ended during a disruption plan, the nodes are tried in parts: the one that ends a process while it is
 * tried alone is left out for ten minutes. If it is no node, there is no disruption for ten minutes; provisioning goes on.
 */
export class PlanGuard {
  readonly #deps: PlanGuardDeps;
  #mark: PlanMark;
  #untold: readonly string[];
  /** Units of the plans that run. */
  #planned: readonly string[] = [];
  #disrupting: readonly string[] = [];
  /** Suspects that were planned by this process, and did it no harm. */
  readonly #cleared = new Set<string>();
  readonly #trials = new NodeTrials();

  constructor(deps: PlanGuardDeps) {
    this.#deps = deps;
    const text = deps.marks.read();
    const found = text === undefined ? NO_MARK : parsedMark(text);
    this.#untold = found.during;
    this.#mark = this.#after(found);
  }

  /** Whether suspects are left that this process has not planned yet: they come next. */
  get hasMore(): boolean {
    return this.#mark.suspects !== undefined;
  }

  /** The snapshot with the pods of the next plan. Call `end` when the plan is made. */
  begin(snapshot: ClusterSnapshot): ClusterSnapshot {
    const { pods, units } = this.#nextPart(this.#withoutBlamed(snapshot.pendingPods));
    this.#tell(snapshot);
    this.#planned = units;
    this.#note();
    for (const unit of units) this.#cleared.add(unit);
    return pods.length === snapshot.pendingPods.length ? snapshot : { ...snapshot, pendingPods: pods };
  }

  end(): void {
    const { suspects } = this.#mark;
    if (suspects?.every((unit) => this.#cleared.has(unit)) === true) this.#mark = { ...this.#mark, suspects: undefined };
    this.#planned = [];
    this.#note();
  }

  /** The next disruption plan, which leaves its mark; undefined: none may begin. Call `endDisruption` when it is made. */
  beginDisruption(snapshot: ClusterSnapshot): DisruptionTurn | undefined {
    const nowMs = this.#deps.clock.now();
    if (this.#untold.every((unit) => unit === DISRUPTION)) this.#tell(snapshot);
    if (this.#mark.blamed.some(({ unit, untilMs }) => unit === DISRUPTION && untilMs > nowMs)) return undefined;
    this.#suspectAgain(nowMs);
    const tried = this.#nextTrial(snapshot.nodes);
    this.#disrupting = [DISRUPTION];
    this.#note();
    if (tried === undefined) return { snapshot: withBareNodes(snapshot, blamedNodes(this.#mark.blamed)), isTrial: false };
    const names = new Set(tried);
    return { snapshot: { ...snapshot, nodes: snapshot.nodes.filter(({ name }) => names.has(name)) }, isTrial: true };
  }

  endDisruption(): void {
    this.#disrupting = [];
    const { search, blamed } = this.#mark;
    if (search === undefined)
      this.#mark = { ...this.#mark, blamed: blamed.filter(({ unit }) => unit !== DISRUPTION), disruption: undefined };
    else {
      this.#trials.outlived(search.tried);
      this.#mark = { ...this.#mark, search: { ...search, tried: [] } };
    }
    this.#note();
  }

  /** Nodes that were left out for long enough are tried alone, before any plan includes them. */
  #suspectAgain(nowMs: number): void {
    const { blamed, search } = this.#mark;
    const due = blamedNodes(blamed.filter(({ untilMs }) => untilMs <= nowMs));
    if (due.length === 0 || search !== undefined) return;
    this.#trials.forget();
    this.#mark = { ...this.#mark, blamed: blamed.filter(({ untilMs }) => untilMs > nowMs), search: { suspects: due, tried: [] } };
  }

  /** The nodes that the next disruption plan tries; undefined: it is no trial. */
  #nextTrial(nodes: ClusterSnapshot['nodes']): readonly string[] | undefined {
    const { search, blamed } = this.#mark;
    if (search === undefined) return undefined;
    const known = blamedNodes(blamed);
    const names = nodes.map(({ name }) => name).filter((name) => !known.includes(name) && search.suspects?.includes(name) !== false);
    const tried = this.#trials.next(names);
    if (tried === undefined) this.#trials.forget();
    this.#mark =
      tried === undefined ? { ...this.#mark, search: undefined, disruption: 'searched' } : { ...this.#mark, search: { ...search, tried } };
    return tried;
  }

  /** Writes what the next process needs to know if this one ends now. */
  #note(): void {
    const during = [...this.#planned, ...this.#disrupting];
    const { suspects, blamed, disruption, search } = this.#mark;
    const isClean = during.length + blamed.length === 0 && [suspects, disruption, search].every((each) => each === undefined);
    if (isClean) this.#deps.marks.clear();
    else this.#deps.marks.write(JSON.stringify({ ...this.#mark, during }));
  }

  /** What an end during these units says about the next plans. */
  #after(found: PlanMark): PlanMark {
    const untilMs = this.#deps.clock.now() + BLAME_MS;
    const units = found.during.filter((unit) => unit !== DISRUPTION);
    const mark = units.length < found.during.length ? afterDisruptionEnd(found, untilMs) : { ...found, during: [] };
    const [only] = units;
    if (only === undefined) return mark;
    const isWorkload = units.length === 1 && only.includes('/');
    return isWorkload ? { ...mark, suspects: undefined, blamed: [...mark.blamed, { unit: only, untilMs }] } : { ...mark, suspects: units };
  }

  #withoutBlamed(pods: readonly Pod[]): readonly Pod[] {
    const nowMs = this.#deps.clock.now();
    // A disruption plan sees to nodes.
    const blamed = this.#mark.blamed.filter((blame) => blame.untilMs > nowMs || isNodeBlame(blame));
    if (blamed.length < this.#mark.blamed.length) this.#mark = { ...this.#mark, blamed };
    if (blamed.length === 0) return pods;
    const units = new Set(blamed.map(({ unit }: Blame) => unit));
    return pods.filter((pod) => !isOf(pod, units));
  }

  /** All pods; under suspicion those of no suspect first, then the suspects part by part. */
  #nextPart(pods: readonly Pod[]): Part {
    const { suspects } = this.#mark;
    if (suspects === undefined) return { pods, units: inOrder(pods.map(namespaceOf)) };
    const suspected = new Set(suspects);
    const others = pods.filter((pod) => !isOf(pod, suspected));
    if (others.length > 0 && !this.#cleared.has('')) {
      this.#cleared.add('');
      return { pods: others, units: inOrder(others.map(namespaceOf)) };
    }
    return this.#suspectedPart(pods, suspects);
  }

  #suspectedPart(pods: readonly Pod[], suspects: readonly string[]): Part {
    const own = pods.filter((pod) => isOf(pod, new Set(suspects)));
    // A namespace that is alone under suspicion is planned by its workloads.
    const isSplit = suspects.length === 1;
    const unitOf = (pod: Pod): string => (isSplit || suspects.includes(workloadOf(pod)) ? workloadOf(pod) : namespaceOf(pod));
    const units = inOrder(own.map(unitOf));
    const left = units.filter((unit) => !this.#cleared.has(unit));
    const next = left.slice(0, Math.max(1, Math.ceil(units.length / PARTS)));
    // Nothing is left of them: their pods are gone, or all were planned.
    if (next.length >= left.length) for (const suspect of suspects) this.#cleared.add(suspect);
    const chosen = new Set(next);
    return { pods: own.filter((pod) => chosen.has(unitOf(pod))), units: next };
  }

  /** Once, and when there is somebody to name. */
  #tell({ pendingPods, nodes }: Pick<ClusterSnapshot, 'pendingPods' | 'nodes'>): void {
    if (this.#untold.length === 0) return;
    const { blamed } = this.#mark;
    const untilMs = this.#deps.clock.now() + BLAME_MS;
    this.#deps.reporter.report({ kind: 'unclean-end', during: this.#untold, untilMs });
    this.#untold = [];
    const units = new Set(blamed.map(({ unit }) => unit));
    const pods = pendingPods.filter((pod) => units.size > 0 && isOf(pod, units));
    const quarantine = (subjects: readonly EventSubject[], what: string): void => {
      if (subjects.length > 0)
        this.#deps.reporter.report({ kind: 'quarantined', subjects, error: new Error(`the process ended while it ${what}`), untilMs });
    };
    quarantine(pods.map(subjectOfPod), 'planned this pod');
    quarantine(subjectsOfNodes(nodes, new Set(blamedNodes(blamed))), 'planned to disrupt this node');
  }
}
