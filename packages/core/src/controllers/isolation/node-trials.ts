import { compareText } from '../../base/index.ts';
import type { Blame, PlanMark } from './plan-marks.ts';

/** The unit of disruption plans; no namespace, workload or node has such a name. */
export const DISRUPTION = 'disruption plan';
/** Suspected nodes are tried in so many parts: one death narrows them down to a sixteenth. */
const PARTS = 16;
/** After so many nodes the reason is sought elsewhere: there is no disruption for a while. */
const MOST_NODES = 3;

/** Whether a node is blamed, no workload. */
export const isNodeBlame = ({ unit }: Pick<Blame, 'unit'>): boolean => unit.startsWith('Node ');

const unitOfNode = (name: string): string => `Node ${name}`;

/** The names of the nodes among what is blamed. */
export const blamedNodes = (blamed: readonly Blame[]): readonly string[] =>
  blamed.flatMap(({ unit }) => (isNodeBlame({ unit }) ? [unit.slice('Node '.length)] : []));

/** No node is to blame, or none alone. */
const disruptionBlamed = (found: PlanMark, untilMs: number): PlanMark => ({
  ...found,
  during: [],
  blamed: [...found.blamed, { unit: DISRUPTION, untilMs }],
  disruption: 'searched',
  search: undefined,
});

/** After an end during a trial: fewer are suspected, or one is blamed. */
const afterTrial = (found: PlanMark, tried: readonly string[], untilMs: number): PlanMark => {
  const [only] = tried;
  if (only === undefined) return disruptionBlamed(found, untilMs);
  if (tried.length > 1) return { ...found, during: [], search: { suspects: tried, tried: [] } };
  return { ...found, during: [], blamed: [...found.blamed, { unit: unitOfNode(only), untilMs }], search: undefined };
};

/**
 * What an end during a disruption plan says about the next ones. One end may have any reason. After the second in a row nodes are suspected, and tried in
 * parts.
 */
export const afterDisruptionEnd = (found: PlanMark, untilMs: number): PlanMark => {
  const { disruption, search, blamed } = found;
  if (search !== undefined) return afterTrial(found, search.tried, untilMs);
  if (disruption === undefined) return { ...found, during: [], disruption: 'suspected' };
  const isHopeless = disruption === 'searched' || blamedNodes(blamed).length >= MOST_NODES;
  return isHopeless ? disruptionBlamed(found, untilMs) : { ...found, during: [], search: { suspects: undefined, tried: [] } };
};

/** The trials of one process: plans with no node but those that are tried, first with none, then with each part of the suspects. */
export class NodeTrials {
  readonly #survived = new Set<string>();
  #isBegun = false;

  /** The nodes of the next trial; undefined when every suspect was in one. */
  next(suspects: readonly string[]): readonly string[] | undefined {
    const left = suspects.filter((name) => !this.#survived.has(name)).sort(compareText);
    if (this.#isBegun && left.length === 0) return undefined;
    const tried = this.#isBegun ? left.slice(0, Math.max(1, Math.ceil(suspects.length / PARTS))) : [];
    this.#isBegun = true;
    return tried;
  }

  /** Notes that this process outlived a trial. */
  outlived(tried: readonly string[]): void {
    for (const name of tried) this.#survived.add(name);
  }

  /** Begins from the start: another search follows. */
  forget(): void {
    this.#survived.clear();
    this.#isBegun = false;
  }
}
