import { compareText } from '../../base/index.ts';
import { NO_SUSPICION } from './suspects.ts';
import type { Blame, NodeSuspicion, PlanKind, PlanMark } from './suspects.ts';

/** The scope of disruption plans; no namespace, workload or node has such a name. */
export const DISRUPTION = 'disruption plan';
/** The scope of provisioning plans for which no pod is pending. */
export const WITHOUT_PENDING_PODS = 'draining nodes and buffers';
/** Suspected nodes are tried in so many parts: one death narrows them down to a sixteenth. */
const PARTS = 16;
/** After so many nodes the reason is sought elsewhere. */
const MOST_NODES = 3;

/** The names of the nodes that ended plans of these kinds. */
export const blamedNodes = (blamed: readonly Blame[], ...kinds: readonly PlanKind[]): readonly string[] =>
  blamed.flatMap(({ scope, of }) => (of !== undefined && kinds.includes(of) ? [scope.slice('Node '.length)] : []));

const suspecting = (mark: PlanMark, kind: PlanKind, changed: Partial<NodeSuspicion>): PlanMark => ({
  ...mark,
  [kind]: { ...mark[kind], ...changed },
});

/** Any node may end plans of this kind: the next ones are trials. */
const searchAll = (mark: PlanMark, kind: PlanKind): PlanMark =>
  suspecting(mark, kind, { stage: 'suspected', search: { suspects: undefined, tried: [] } });

/** No node ends plans of this kind alone. */
const searched = (mark: PlanMark, kind: PlanKind): PlanMark => suspecting(mark, kind, { stage: 'searched', search: undefined });

/** After an end during a trial of some nodes: fewer are suspected, or one is blamed. */
const narrowed = (mark: PlanMark, kind: PlanKind, untilMs: number): PlanMark => {
  const tried = mark[kind].search?.tried ?? [];
  const [only] = tried;
  if (only === undefined || tried.length > 1) return suspecting(mark, kind, { search: { suspects: tried, tried: [] } });
  const blamed = [...mark.blamed, { scope: `Node ${only}`, untilMs, of: kind }];
  return suspecting({ ...mark, blamed }, kind, { search: undefined });
};

const mayBlameMore = ({ blamed }: PlanMark, kind: PlanKind): boolean => blamedNodes(blamed, kind).length < MOST_NODES;

const isTrialOfNodes = (mark: PlanMark, kind: PlanKind): boolean => (mark[kind].search?.tried.length ?? 0) > 0;

/** The scope for which the plan of a kind runs as a whole. */
const WHOLE: Readonly<Record<PlanKind, string>> = { provisioning: WITHOUT_PENDING_PODS, disruption: DISRUPTION };

/**
 * What an end during a plan of this kind, without pending pods, says about the next ones. One end may have any reason.
 * After the second in a row nodes are suspected, and tried in parts.
 */
export const afterPlanWithoutPods = (found: PlanMark, kind: PlanKind, untilMs: number): PlanMark => {
  const { stage, search } = found[kind];
  if (isTrialOfNodes(found, kind)) return narrowed(found, kind, untilMs);
  if (search === undefined && stage === undefined) return suspecting(found, kind, { stage: 'suspected' });
  if (search === undefined && stage === 'suspected' && mayBlameMore(found, kind)) return searchAll(found, kind);
  // No node is to blame, or none alone.
  return searched({ ...found, blamed: [...found.blamed, { scope: WHOLE[kind], untilMs }] }, kind);
};

/** Something was blamed for the end of a provisioning plan: after another end nodes are suspected. */
export const suspectingOnce = (mark: PlanMark): PlanMark =>
  suspecting(mark, 'provisioning', { stage: mark.provisioning.stage ?? 'suspected' });

/** Plans without each other's pods ended processes: nodes are tried, unless they were. */
export const suspectingNodes = (mark: PlanMark): PlanMark =>
  mark.provisioning.stage !== 'searched' && mayBlameMore(mark, 'provisioning') ? searchAll(mark, 'provisioning') : mark;

/**
 * What an end during a trial of provisioning says about nodes. `searched`: pods end plans without nodes too. Workloads
 * that were blamed for what a node did are planned again.
 */
export const afterTrialOfPods = (found: PlanMark, untilMs: number): PlanMark => {
  if (!isTrialOfNodes(found, 'provisioning')) return searched(found, 'provisioning');
  const mark = narrowed(found, 'provisioning', untilMs);
  if (mark.provisioning.search !== undefined) return mark;
  const blamed = mark.blamed.filter(({ scope, of }) => of !== undefined || !scope.includes('/'));
  return suspectingOnce({ ...mark, suspects: undefined, waiting: [], blamed });
};

/**
 * The trials that one process makes for one kind of plan. Each plans with no nodes but those under trial: first none,
 * then each part of the suspects.
 */
export class NodeTrials {
  readonly #kind: PlanKind;
  readonly #survived = new Set<string>();
  #isBegun = false;

  constructor(kind: PlanKind) {
    this.#kind = kind;
  }

  /** The mark of the next plan. If it has a search, the plan is a trial of the nodes that are tried. */
  begin(given: PlanMark, nodes: readonly { readonly name: string }[], nowMs: number): PlanMark {
    const mark = this.#suspectAgain(given, nowMs);
    const { search } = mark[this.#kind];
    if (search === undefined) return mark;
    const known = blamedNodes(mark.blamed, this.#kind);
    const names = nodes.map(({ name }) => name);
    const tried = this.#next(names.filter((name) => !known.includes(name) && search.suspects?.includes(name) !== false));
    if (tried !== undefined) return suspecting(mark, this.#kind, { search: { ...search, tried } });
    this.#forget();
    return searched(mark, this.#kind);
  }

  /** The mark after a plan that did no harm. */
  end(mark: PlanMark): PlanMark {
    const { search } = mark[this.#kind];
    if (search === undefined) return { ...mark, [this.#kind]: NO_SUSPICION };
    for (const name of search.tried) this.#survived.add(name);
    return suspecting(mark, this.#kind, { search: { ...search, tried: [] } });
  }

  /** Nodes that were left out for long enough are tried alone, before any plan includes them. */
  #suspectAgain(mark: PlanMark, nowMs: number): PlanMark {
    const { blamed } = mark;
    const due = blamedNodes(
      blamed.filter(({ untilMs }) => untilMs <= nowMs),
      this.#kind,
    );
    if (due.length === 0 || mark[this.#kind].search !== undefined) return mark;
    this.#forget();
    const left = blamed.filter(({ of, untilMs }) => of !== this.#kind || untilMs > nowMs);
    return suspecting({ ...mark, blamed: left }, this.#kind, { search: { suspects: due, tried: [] } });
  }

  /** The nodes of the next trial; undefined when every suspect was in one. */
  #next(suspects: readonly string[]): readonly string[] | undefined {
    const left = suspects.filter((name) => !this.#survived.has(name)).sort(compareText);
    if (this.#isBegun && left.length === 0) return undefined;
    const tried = this.#isBegun ? left.slice(0, Math.max(1, Math.ceil(suspects.length / PARTS))) : [];
    this.#isBegun = true;
    return tried;
  }

  /** Begins from the start: another search follows. */
  #forget(): void {
    this.#survived.clear();
    this.#isBegun = false;
  }
}
