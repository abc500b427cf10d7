import type { Suspect } from './suspects.ts';

/** A decision without some suspects: made, or the bug again. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

export interface Search<T> {
  /** Decides without these. */
  readonly attempt: (excluded: ReadonlySet<Suspect>) => Promise<Attempt<T>>;
  /** False ends the search: the best decision so far is the answer. */
  readonly mayContinue: () => boolean;
}

/** A decision that was made, and what it was made without. */
export interface Findings<T> {
  readonly value: T;
  /** Each triggers the bug: with it and without those before it, the decision fails. */
  readonly culprits: readonly Suspect[];
  /** Left out of this decision only, because the search ended early. */
  readonly unsettled: readonly Suspect[];
}

/** Further culprits are found by the next decision. */
const MOST_CULPRITS = 8;
/** With so many culprits in one namespace, its other pods wait for the next decision. */
const CULPRITS_IN_NAMESPACE = 2;

const isCrowded = (culprits: readonly Suspect[], namespace: string): boolean =>
  namespace !== '' && culprits.filter((each) => each.namespace === namespace).length >= CULPRITS_IN_NAMESPACE;

/** Culprits, and the other suspects of namespaces with several of them. */
const baseOf = (suspects: readonly Suspect[], culprits: readonly Suspect[]): ReadonlySet<Suspect> =>
  new Set([...culprits, ...suspects.filter(({ namespace }) => isCrowded(culprits, namespace))]);

/** All suspects of the kinds of these, and the pods among these: for many nodes that trigger a bug no pod is left out. */
const kindsOf = (suspects: readonly Suspect[], culprits: readonly Suspect[]): ReadonlySet<Suspect> => {
  const kinds = new Set(culprits.filter(({ kind }) => kind !== 'Pod').map(({ kind }) => kind));
  return new Set([...culprits, ...suspects.filter(({ kind }) => kinds.has(kind))]);
};

/** Whether the decision leaves out pods that could be kept by leaving out whole kinds instead. */
const leavesOutPods = ({ excluded }: Made<unknown>, instead: ReadonlySet<Suspect>): boolean =>
  instead.size > 0 && [...excluded].some((each) => each.kind === 'Pod' && !instead.has(each));

/** A decision that was made, and without what. */
interface Made<T> {
  readonly value: T;
  readonly excluded: ReadonlySet<Suspect>;
}

/**
 * Where a search stands: the shortest list from the start that is known to make the bug go away, and the decision
 * without it.
 */
interface Narrowed<T> {
  readonly best: Made<T>;
  readonly passes: number;
  /** One of these triggers the bug: one alone unless time ran out before. */
  readonly left: readonly Suspect[];
}

/**
 * Finds the shortest list from the start whose absence, beside that of `base`, makes the bug go away. The first `bound`
 * suspects are one.
 */
const narrow = async <T>(
  suspects: readonly Suspect[],
  { attempt, mayContinue }: Search<T>,
  start: { readonly base: ReadonlySet<Suspect>; readonly bound: number; readonly best: Made<T> },
): Promise<Narrowed<T>> => {
  let { best } = start;
  let [fails, passes] = [0, start.bound];
  while (passes - fails > 1 && mayContinue()) {
    const middle = Math.floor((fails + passes) / 2);
    const excluded = new Set([...start.base, ...suspects.slice(0, middle)]);
    const tried = await attempt(excluded);
    if (tried.ok) {
      best = { value: tried.value, excluded };
      passes = middle;
    } else fails = middle;
  }
  return { best, passes, left: suspects.slice(fails, passes) };
};

/** The first of these that a decision can be made without. */
const firstMade = async <T>({ attempt }: Search<T>, choices: readonly ReadonlySet<Suspect>[]): Promise<Made<T> | undefined> => {
  for (const excluded of choices) {
    const tried = await attempt(excluded);
    if (tried.ok) return { value: tried.value, excluded };
  }
  return undefined;
};

/**
 * Finds what triggers a bug by leaving out halves, and returns a decision that was made without it. Undefined when
 * the bug stays even without all suspects. It finds the shortest list from the start whose absence makes the bug go
 * away. The last suspect of that list is a culprit; the search goes on before it. Tries: about log2(suspects) for
 * each culprit. If it ends early, all suspects of the kinds that trigger the bug are left out rather than pods.
 */
export const findCulprits = async <T>(suspects: readonly Suspect[], search: Search<T>): Promise<Findings<T> | undefined> => {
  const culprits: Suspect[] = [];
  const verdict = ({ value, excluded }: Made<T>): Findings<T> => ({
    ...{ value, culprits },
    unsettled: [...excluded].filter((suspect) => !culprits.includes(suspect)),
  });
  let best = await firstMade(search, [new Set(suspects)]);
  let open: readonly Suspect[] = [];
  for (let bound = suspects.length; best !== undefined && bound > 0 && culprits.length < MOST_CULPRITS;) {
    const narrowed: Narrowed<T> = await narrow(suspects, search, { base: baseOf(suspects, culprits), bound, best });
    best = narrowed.best;
    const [culprit] = narrowed.left;
    if (narrowed.left.length > 1 || culprit === undefined) {
      open = narrowed.left;
      break;
    }
    culprits.push(culprit);
    const made = await firstMade(search, [new Set(culprits), baseOf(suspects, culprits)]);
    if (made !== undefined) return verdict(made);
    bound = narrowed.passes - 1;
  }
  if (best === undefined) return undefined;
  const instead = kindsOf(suspects, [...culprits, ...open]);
  const made = leavesOutPods(best, instead) ? await firstMade(search, [instead]) : undefined;
  return verdict(made ?? best);
};
