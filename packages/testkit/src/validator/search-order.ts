import { affinityTerms, hardSpreads } from './pod-rules.ts';
import type { Replay, Wait } from './replay.ts';

/** Whether pods could be bound in some order; `unknown` where the search ended before it had tried all. */
export type BindOrder = 'found' | 'none' | 'unknown';

/** How often one search asks whether a pod may be bound, at most: half a second's work. */
const MOST_CHECKS = 150_000;

/** Pods alike on one spot: whichever of them comes first. */
const queuesOf = (waits: readonly Wait[]): readonly Wait[][] => {
  const queues = new Map<string, Wait[]>();
  for (const wait of waits) {
    const { metadata, spec } = wait.pod;
    const text = JSON.stringify([wait.spot.name, metadata.namespace, metadata.labels, { ...spec, nodeName: undefined }]);
    const queue = queues.get(text);
    if (queue === undefined) queues.set(text, [wait]);
    else queue.push(wait);
  }
  return [...queues.values()];
};

/**
 * Whether the pod's own rules depend on what was bound before it. Anti-affinity does not: it holds of the pods in the
 * end, or in no order.
 */
const dependsOnOrder = ({ pod: { spec } }: Wait): boolean => affinityTerms(spec).length + hardSpreads(spec).length > 0;

/** A pod that may be the last of those that are left, and its queue. */
interface Choice {
  readonly queue: number;
  readonly isDependent: boolean;
  /** By how many pods its domain exceeds the emptiest, if a spread counts the pod. */
  readonly excess: number;
}

type Ranking = (a: Choice, b: Choice) => number;

const byExcess: Ranking = (a, b) => (a.excess === b.excess ? 0 : b.excess - a.excess);
const byOrder: Ranking = (a, b) => Number(b.isDependent) - Number(a.isDependent);
const byQueue: Ranking = (a, b) => a.queue - b.queue;

/**
 * Which pod is unbound first: one in the fullest domain, so that the least count does not fall; or one whose own rules
 * may fail later.
 */
const rankings: readonly Ranking[] = [
  (a, b) => byExcess(a, b) || byOrder(a, b) || byQueue(a, b),
  (a, b) => byOrder(a, b) || byExcess(a, b) || byQueue(a, b),
];

/** Unbinds pods one by one, each where it could be the last to come, and goes back where none could. */
class OrderSearch {
  readonly #replay: Replay;
  readonly #queues: readonly (readonly Wait[])[];
  readonly #ranking: Ranking;
  /** Queue → how many of its pods are still bound. */
  readonly #bound: number[];
  readonly #seen = new Set<string>();
  #looks = 0;

  constructor(replay: Replay, queues: readonly (readonly Wait[])[], ranking: Ranking) {
    this.#replay = replay;
    this.#queues = queues;
    this.#ranking = ranking;
    this.#bound = queues.map((queue) => queue.length);
    for (const wait of queues.flat()) replay.bind(wait);
  }

  run(): BindOrder {
    const path: { readonly choices: readonly Choice[]; at: number }[] = [{ choices: this.#choices(), at: -1 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      if (this.#bound.every((count) => count === 0)) return 'found';
      if (this.#looks > MOST_CHECKS) return 'unknown';
      this.#bindAgain(step.choices[step.at]);
      const choice = step.choices[++step.at];
      if (choice === undefined) path.pop();
      else if (this.#unbind(choice)) path.push({ choices: this.#choices(), at: -1 });
    }
    return 'none';
  }

  /** The pods that could be the last to come. */
  #choices(): readonly Choice[] {
    const choices: Choice[] = [];
    for (const [queue, count] of this.#bound.entries()) {
      const wait = this.#queues[queue]?.[count - 1];
      if (wait === undefined) continue;
      this.#looks++;
      const isDependent = dependsOnOrder(wait);
      const excess = this.#replay.excessAround(wait) ?? (isDependent ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
      this.#replay.unbind(wait);
      if (this.#replay.isAllowed(wait)) choices.push({ queue, isDependent, excess });
      this.#replay.bind(wait);
    }
    return choices.sort(this.#ranking);
  }

  /** Unbinds a pod of the queue. False where the pods that are left were checked before. */
  #unbind({ queue }: Choice): boolean {
    const count = (this.#bound[queue] ?? 0) - 1;
    const wait = this.#queues[queue]?.[count];
    if (wait === undefined) return false;
    this.#replay.unbind(wait);
    this.#bound[queue] = count;
    const text = this.#bound.join();
    const isNew = !this.#seen.has(text);
    this.#seen.add(text);
    return isNew;
  }

  #bindAgain(choice: Choice | undefined): void {
    if (choice === undefined) return;
    const count = this.#bound[choice.queue] ?? 0;
    const wait = this.#queues[choice.queue]?.[count];
    if (wait === undefined) return;
    this.#replay.bind(wait);
    this.#bound[choice.queue] = count + 1;
  }
}

/**
 * Whether all of the waiting pods can be bound in some order. Searches for it from its end: which pod may be the last,
 * which the last of the others, and so on. That is shorter than from its start, because the pods that are left take
 * less room from each other's spreads with each step.
 */
export const searchBindOrder = (begin: () => Replay, waits: readonly Wait[]): BindOrder => {
  const queues = queuesOf(waits);
  for (const ranking of rankings) {
    const answer = new OrderSearch(begin(), queues, ranking).run();
    if (answer !== 'unknown') return answer;
  }
  return 'unknown';
};
