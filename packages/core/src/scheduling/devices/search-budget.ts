import type { Allocation, DeviceEffort } from './claim-allocation.ts';

/** How many devices one search may try, and how many all searches for one pod in one stage. 1,000 take 1 to 3 ms. */
const MOST_STEPS = 20_000;
const MOST_STEPS_A_POD = 40_000;
/** So many of these do not count for the namespace: enough for a claim for few devices on each of 100 types. */
const FREE_STEPS_A_POD = 500;
const MOST_STEPS_A_NAMESPACE = 5_000_000;
/** After so many devices that were tried for pods of all namespaces each may try only so many. */
const MOST_STEPS_TOGETHER = 20_000_000;
const MOST_STEPS_A_NAMESPACE_THEN = 100_000;

/** A search that finds nothing within so many is not in vain: most do. */
const STEPS_FOR_NOTHING = 16;
/** After so many devices that were tried in vain for pods of one namespace, a search for another may try only few. */
const MOST_STEPS_IN_VAIN = 40_000;
const FEW_STEPS = 200;
/** After so many, and so many for each node with devices, still fewer: enough where all devices are in use. */
const MOST_FEW_STEPS_IN_VAIN = 40_000;
const FEW_STEPS_OF_A_NODE = 1_000;

/**
 * The stages of a search for a pod: on existing and open new nodes, or on a further one. Each stage has limits of
 * its own, so that nodes without free devices do not keep a pod from a new one.
 */
type SearchStage = 'known' | 'new';

/** How many devices were tried for the pods of a namespace, and how many by searches that found none. */
interface NamespaceSteps {
  steps: number;
  readonly inVain: Record<SearchStage, number>;
}

const noSteps = (): NamespaceSteps => ({ steps: 0, inVain: { known: 0, new: 0 } });

/** Whose limit ended a search: its own and that of its pod, or what is left for its namespace. */
export type SearchCut = 'pod' | 'namespace';

/** How many devices the searches of one solve may try, so that no claims take long. */
export class SearchBudget {
  readonly #mostInVain: Readonly<Record<SearchStage, number>>;
  readonly #namespaces = new Map<string, NamespaceSteps>();
  #together = 0;
  #work = 0;
  #current = noSteps();
  #stage: SearchStage = 'known';
  #podStepsLeft = MOST_STEPS_A_POD;
  #freeStepsLeft = FREE_STEPS_A_POD;
  #cut: SearchCut | undefined;
  #isRefusalSure = true;

  /** `nodes`: existing ones with devices. A search for a pod may come to each of them. */
  constructor(nodes: number) {
    const most = MOST_STEPS_IN_VAIN + MOST_FEW_STEPS_IN_VAIN;
    this.#mostInVain = { known: most + nodes * FEW_STEPS_OF_A_NODE, new: most };
  }

  /** Lets the next searches try as much as those for one pod may. */
  startPod(namespace: string): void {
    this.#current = this.#namespaces.get(namespace) ?? noSteps();
    this.#namespaces.set(namespace, this.#current);
    this.#cut = undefined;
    this.#start('known');
  }

  /** The next searches for the pod are for a new node. */
  startNewNode(): void {
    this.#start('new');
  }

  /** Whether a search for the pod was cut short. */
  get cut(): SearchCut | undefined {
    return this.#cut;
  }

  /** Whether another search like the last finds no more. One that had less than a whole search may have missed devices. */
  get isRefusalSure(): boolean {
    return this.#isRefusalSure;
  }

  /** How much was searched: each search counts as one device more than it tried. */
  get work(): number {
    return this.#work;
  }

  /** Counts a search, which gets as much as it may try. */
  search(find: (effort: DeviceEffort) => Allocation): Allocation {
    const ofNamespace = Math.min(this.#mostAfterVain(), this.#stepsLeftOfNamespace());
    const most = Math.min(MOST_STEPS, this.#podStepsLeft, ofNamespace);
    const effort: DeviceEffort = { steps: most };
    const allocation = find(effort);
    const isCut = allocation.kind === 'too-complex';
    if (isCut) this.#cut = most === ofNamespace ? 'namespace' : 'pod';
    this.#isRefusalSure = !isCut || most === MOST_STEPS;
    this.#count(most - Math.max(0, effort.steps), allocation);
    return allocation;
  }

  #start(stage: SearchStage): void {
    this.#stage = stage;
    this.#podStepsLeft = MOST_STEPS_A_POD;
    this.#freeStepsLeft = FREE_STEPS_A_POD;
  }

  #count(steps: number, { kind }: Allocation): void {
    const counted = Math.max(0, steps - this.#freeStepsLeft);
    this.#work += 1 + steps;
    this.#freeStepsLeft = Math.max(0, this.#freeStepsLeft - steps);
    this.#podStepsLeft -= steps;
    this.#current.steps += counted;
    this.#together += counted;
    if (kind !== 'allocated' && steps > STEPS_FOR_NOTHING) this.#current.inVain[this.#stage] += steps;
  }

  #stepsLeftOfNamespace(): number {
    const most = this.#together < MOST_STEPS_TOGETHER ? MOST_STEPS_A_NAMESPACE : MOST_STEPS_A_NAMESPACE_THEN;
    return this.#freeStepsLeft + Math.max(0, most - this.#current.steps);
  }

  #mostAfterVain(): number {
    const steps = this.#current.inVain[this.#stage];
    if (steps < MOST_STEPS_IN_VAIN) return Number.POSITIVE_INFINITY;
    return steps < this.#mostInVain[this.#stage] ? FEW_STEPS : STEPS_FOR_NOTHING;
  }
}
