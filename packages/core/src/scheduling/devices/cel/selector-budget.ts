import type { TooComplex } from '../../rejection/rejection.ts';

/** What one evaluation takes besides its own steps. */
const STEPS_AN_EVALUATION = 20;
/** Steps that the selectors of one pod may take: about a quarter of a second. */
const MOST_STEPS_A_POD = 1_250_000;
/** After so many steps of one namespace its other pods may take only few, and after twice as many none. */
const MOST_STEPS_A_NAMESPACE = 2_500_000;
const FEW_STEPS = 2_000;
/** After so many steps of all namespaces each may take only so many. */
const MOST_STEPS_TOGETHER = 20_000_000;
const MOST_STEPS_A_NAMESPACE_THEN = 100_000;
/** So many steps take as long as a unit of `TooComplex`. */
const STEPS_A_UNIT = 12;

/** How many steps were taken of the selectors of some pods. */
interface TakenSteps {
  steps: number;
}

/** Whose steps count besides those of equal pods. */
interface SharedSteps {
  readonly ofNamespace: TakenSteps;
  readonly together: TakenSteps;
}

/** How many steps a pod may take that needs some after those of others. */
const mostForPod = ({ ofNamespace, together }: SharedSteps): number => {
  const most = together.steps > MOST_STEPS_TOGETHER ? MOST_STEPS_A_NAMESPACE_THEN : MOST_STEPS_A_NAMESPACE;
  if (ofNamespace.steps > 2 * most) return 0;
  return ofNamespace.steps > most ? FEW_STEPS : MOST_STEPS_A_POD;
};

/**
 * What the selectors of equal pods have taken of a budget. An evaluation counts once, for the pod that is the first to
 * need it.
 */
export class SelectorWork {
  #most = MOST_STEPS_A_POD;
  #steps = 0;
  /** Whether the selectors were evaluated for the devices of all types. */
  isJudged = false;
  readonly #shared: SharedSteps;

  constructor(shared: SharedSteps) {
    this.#shared = shared;
  }

  get steps(): number {
    return this.#steps;
  }

  /** How many steps may still be taken. Called only where some are needed: pods that need no more stay as they are. */
  stepsLeft(): number {
    this.#most = Math.min(this.#most, mostForPod(this.#shared));
    return Math.max(0, this.#most - this.#steps);
  }

  take(steps: number): void {
    this.#steps += steps;
    this.#shared.ofNamespace.steps += steps;
    this.#shared.together.steps += steps;
  }

  /** Why no more of its selectors are evaluated. */
  get refusal(): TooComplex | undefined {
    if (this.#steps < this.#most) return undefined;
    const [units, most] = [Math.ceil(this.#steps / STEPS_A_UNIT), Math.floor(this.#most / STEPS_A_UNIT)];
    const after = this.#most < MOST_STEPS_A_POD ? ', after those of other pods of its namespace,' : '';
    return { kind: 'too-complex', units, most, largest: `selectors of devices${after}` };
  }
}

/** How much the selectors of the pods of a snapshot may take, so that no claim keeps other pods from being planned. */
export class SelectorBudget {
  readonly #works = new Map<string, Map<string, SelectorWork>>();
  readonly #namespaces = new Map<string, TakenSteps>();
  readonly #together: TakenSteps = { steps: 0 };
  #current: SelectorWork | undefined;

  /** What pods of the namespace with the text have taken. */
  workOf(namespace: string, text: string): SelectorWork {
    const ofNamespace = this.#namespaces.get(namespace) ?? { steps: 0 };
    this.#namespaces.set(namespace, ofNamespace);
    const works = this.#works.get(namespace) ?? new Map<string, SelectorWork>();
    this.#works.set(namespace, works);
    const work = works.get(text) ?? new SelectorWork({ ofNamespace, together: this.#together });
    works.set(text, work);
    return work;
  }

  /** Counts the evaluations that follow for these pods. */
  countFor(work: SelectorWork): void {
    this.#current = work;
  }

  /** How many steps these pods may still take. */
  stepsLeft(): number {
    return this.#current?.stepsLeft() ?? Number.POSITIVE_INFINITY;
  }

  take(steps: number): void {
    this.#current?.take(steps);
  }

  takeEvaluation(steps: number): void {
    this.take(steps + STEPS_AN_EVALUATION);
  }
}
