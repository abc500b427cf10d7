import { nodeOverlayProblems } from '../../apis/index.ts';
import type { LabelCatalog, NodeOverlay, NodePool } from '../../apis/index.ts';
import type { FieldProblem, Steps } from '../../base/index.ts';
import { findingOverlayConflicts, overlayRules, poolLabelRequirements } from '../../catalog/index.ts';
import type { OverlaidPool, OverlayConflict } from '../../catalog/index.ts';
import { CloudProviderError, isManaged } from '../../cloudprovider/index.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import type { Caches, Clock, FollowedCache } from '../../ports/index.ts';
import type { ObjectGuard } from '../../state/index.ts';
import { decideInSlices } from '../shell.ts';

/** Whether an overlay counts, and why it does not. */
export type OverlayVerdict =
  | { readonly kind: 'in-force' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'conflict'; readonly conflict: OverlayConflict };

/** What overlays are judged by. */
interface Judging {
  readonly pools: readonly OverlaidPool[];
  readonly catalog: LabelCatalog;
  readonly guard: ObjectGuard;
}

/** Overlay → its verdict, all of them checked together. One that triggers a bug has none, and is not in force. */
function* judgingOverlays(
  all: readonly NodeOverlay[],
  { pools, catalog, guard }: Judging,
): Steps<ReadonlyMap<NodeOverlay, OverlayVerdict>> {
  const problems = new Map<NodeOverlay, readonly FieldProblem[]>();
  for (const overlay of all) {
    const [found] = guard.each('NodeOverlay', [overlay], () => {
      const own = nodeOverlayProblems(overlay, catalog);
      if (own.length === 0) overlayRules([overlay], catalog);
      return [own];
    });
    if (found !== undefined) problems.set(overlay, found);
    yield;
  }
  const sound = [...problems].flatMap(([overlay, own]) => (own.length === 0 ? [overlay] : []));
  const conflicts = yield* findingOverlayConflicts(overlayRules(sound, catalog), pools);
  const verdictOf = ({ metadata: { name } }: NodeOverlay, own: readonly FieldProblem[]): OverlayVerdict => {
    if (own.length > 0) return { kind: 'invalid', problems: own };
    const conflict = conflicts.get(name);
    return conflict === undefined ? { kind: 'in-force' } : { kind: 'conflict', conflict };
  };
  return new Map([...problems].map(([overlay, own]) => [overlay, verdictOf(overlay, own)]));
}

/** What was found when the NodeOverlays were last checked together. */
interface OverlayEvaluation {
  /** NodePools whose types were checked. */
  readonly nodePools: ReadonlySet<string>;
  /** Overlays that count, by `overlayVersion`: sound, and in conflict with none that counts. */
  readonly inForce: ReadonlySet<string>;
}

/** One wording of one overlay. Its status does not matter. */
export const overlayVersion = ({ metadata: { name, uid, generation } }: NodeOverlay): string => `${name} ${uid ?? ''} ${generation ?? 0}`;

/** Where the controller that evaluates NodeOverlays leaves its verdicts for the provider that applies them. */
export class OverlayVerdicts {
  #last: OverlayEvaluation = { nodePools: new Set(), inForce: new Set() };

  publish(evaluation: OverlayEvaluation): void {
    this.#last = evaluation;
  }

  hasSeen(nodePoolName: string): boolean {
    return this.#last.nodePools.has(nodePoolName);
  }

  isInForce(overlay: NodeOverlay): boolean {
    return this.#last.inForce.has(overlayVersion(overlay));
  }
}

/** What NodeOverlays are evaluated with. */
export interface Evaluating {
  readonly overlays: FollowedCache<NodeOverlay>;
  readonly nodePools: Caches['nodePools'];
  /** Without overlays. */
  readonly provider: CloudProvider;
  readonly verdicts: OverlayVerdicts;
  readonly guard: ObjectGuard;
  readonly clock: Clock;
}

interface Asked extends OverlaidPool {
  readonly pool: NodePool;
}

interface Evaluated {
  readonly key: string;
  readonly pools: readonly Asked[];
  readonly byVersion: ReadonlyMap<string, OverlayVerdict>;
}

/**
 * The verdict on each overlay, by `overlayVersion`, and what the provider failed with for the first pool that had to be
 * left out.
 */
interface OverlayVerdictsFound {
  readonly byVersion: ReadonlyMap<string, OverlayVerdict>;
  readonly failure: CloudProviderError | undefined;
}

const isSame = (before: readonly Asked[], now: readonly Asked[]): boolean =>
  before.length === now.length &&
  now.every(({ pool, types }, i) => {
    const other = before[i];
    return (
      other?.types === types &&
      other.pool.metadata.name === pool.metadata.name &&
      other.pool.metadata.generation === pool.metadata.generation
    );
  });

/** Checks all NodeOverlays and all pools together, and only when something of them changed. */
export class OverlayEvaluator {
  readonly #deps: Evaluating;
  #last: Evaluated | undefined;

  constructor(deps: Evaluating) {
    this.#deps = deps;
  }

  /**
   * Judges the overlays in slices, and publishes the verdicts. One caller at a time. A pool for which the provider fails
   * is left out: it launches nothing until this succeeds.
   */
  async evaluate(signal: AbortSignal): Promise<OverlayVerdictsFound> {
    const asked = await Promise.all(this.#managedPools().map((pool) => this.#ask(pool, signal)));
    const pools = asked.flatMap((each) => ('failure' in each ? [] : each));
    const failures = asked.flatMap((each) => ('failure' in each && each.failure.code !== 'node-class-not-ready' ? each.failure : []));
    const overlays = this.#deps.overlays.list();
    const key = overlays.map(overlayVersion).sort().join('\n');
    const isKnown = this.#last?.key === key && isSame(this.#last.pools, pools);
    const evaluated = isKnown && this.#last ? this.#last : await decideInSlices(this.#deps, this.#judging(overlays, pools, key), signal);
    this.#last = evaluated;
    return { byVersion: evaluated.byVersion, failure: failures[0] };
  }

  *#judging(overlays: readonly NodeOverlay[], pools: readonly Asked[], key: string): Steps<Evaluated> {
    const { provider, guard } = this.#deps;
    const verdicts = yield* judgingOverlays(overlays, { pools, catalog: provider.labelCatalog, guard });
    const byVersion = new Map([...verdicts].map(([overlay, verdict]) => [overlayVersion(overlay), verdict]));
    const inForce = [...byVersion].flatMap(([version, { kind }]) => (kind === 'in-force' ? [version] : []));
    this.#deps.verdicts.publish({ nodePools: new Set(pools.map(({ pool }) => pool.metadata.name)), inForce: new Set(inForce) });
    return { key, pools, byVersion };
  }

  #managedPools(): readonly NodePool[] {
    const { guard, nodePools, provider } = this.#deps;
    return guard.filter('NodePool', nodePools.list(), ({ spec }) => isManaged(spec.template.spec.nodeClassRef, provider));
  }

  async #ask(pool: NodePool, signal: AbortSignal): Promise<Asked | { readonly failure: CloudProviderError }> {
    const { provider } = this.#deps;
    try {
      const types = await provider.getInstanceTypes(pool, { signal });
      return { pool, types, labels: poolLabelRequirements(pool, provider.labelCatalog) };
    } catch (error) {
      if (error instanceof CloudProviderError) return { failure: error };
      throw error;
    }
  }
}
