import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller, ObjectKey } from '@karpenter/runtime';
import { labels, nodeOverlayConditions, nodePoolNameOf } from '../../apis/index.ts';
import type { NodeClaim, NodeOverlay, NodePool } from '../../apis/index.ts';
import { finish, structuralHash, unreachable } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { applyingOverlays, overlayRules, poolLabelRequirements } from '../../catalog/index.ts';
import type { InstanceType, OverlaidTypes } from '../../catalog/index.ts';
import { quantitiesOf } from '../../kube/index.ts';
import type { Caches, Clock, FollowedCache } from '../../ports/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CallOptions, CloudProvider, Machine, TypesAsPlanned } from '../../cloudprovider/index.ts';
import { OverlayEvaluator, OverlayVerdicts, overlayVersion } from './overlay-evaluator.ts';
import type { Evaluating, OverlayVerdict } from './overlay-evaluator.ts';
import { unchangedOf } from '../provider-wrappers/provider-wrappers.ts';
import { writeOverlayStatus } from '../../actions/index.ts';
import type { ConditionChange } from '../../actions/index.ts';
import { decideInSlices } from '../shell.ts';
import type { Shell } from '../shell.ts';

/** What an overlaying provider knows of NodeOverlays. */
export interface OverlaidProviderDeps {
  readonly overlays: FollowedCache<NodeOverlay>;
  readonly nodePools: Pick<FollowedCache<NodePool>, 'get'>;
  readonly verdicts: OverlayVerdicts;
  readonly clock: Clock;
}

/** What one pool is offered under the same overlays in force and labels of the pool. */
interface Offered {
  readonly key: string;
  readonly made: OverlaidTypes;
  last?: { readonly from: readonly InstanceType[]; readonly types: readonly InstanceType[] };
}

const unevaluated = (pool: string): CloudProviderError =>
  new CloudProviderError(
    'node-pool-unevaluated',
    `NodePool "${pool}" launches nothing until the NodeOverlays have been evaluated for its instance types`,
  );

/**
 * Overlays of one cluster as they are applied, pool by pool. The same input gives the same objects: what is compiled of
 * them is remembered by identity.
 */
class Overlays {
  readonly #provider: CloudProvider;
  readonly #deps: OverlaidProviderDeps;
  readonly #offered = new Map<string, Offered>();

  constructor(provider: CloudProvider, deps: OverlaidProviderDeps) {
    this.#provider = provider;
    this.#deps = deps;
  }

  /** What the provider offers a pool, with the overlays in force. Applies them in slices. */
  async offer(pool: NodePool, options: CallOptions): Promise<readonly InstanceType[]> {
    const types = await this.#provider.getInstanceTypes(pool, options);
    return decideInSlices(this.#deps, this.#applying(pool, types), options.signal);
  }

  /** The provider's types as the claim was planned with them; unchanged for one whose pool is gone. */
  asPlanned(claim: NodeClaim, from: readonly InstanceType[]): readonly InstanceType[] {
    const pool = this.#poolOf(claim);
    return pool === undefined ? from : finish(this.#applying(pool, from));
  }

  /**
   * Applies the overlays to what the provider offers the pool of a claim, so that `asPlanned`, which cannot pause, finds
   * them applied. An error of the provider is left to the launch.
   */
  async prepare(claim: NodeClaim, options: CallOptions): Promise<void> {
    const pool = this.#poolOf(claim);
    if (pool === undefined || this.#deps.overlays.list().length === 0) return;
    try {
      await this.offer(pool, options);
    } catch (error) {
      if (!(error instanceof CloudProviderError)) throw error;
    }
  }

  /** The machine with the resources that overlays say it has, so that it counts with them before its node has come up. */
  completed(machine: Machine, claim: NodeClaim): Machine {
    const offered = this.#offered.get(nodePoolNameOf(claim));
    const type = offered?.last?.types.find(({ name }) => name === machine.labels[labels.instanceType]);
    const capacity = quantitiesOf(type?.overlaid?.capacity ?? {});
    return { ...machine, capacity: { ...machine.capacity, ...capacity }, allocatable: { ...machine.allocatable, ...capacity } };
  }

  *#applying(pool: NodePool, from: readonly InstanceType[]): Steps<readonly InstanceType[]> {
    const { name } = pool.metadata;
    const { labelCatalog } = this.#provider;
    const inForce = this.#inForce(name);
    if (inForce.length === 0) {
      this.#offered.delete(name);
      return from;
    }
    const key = `${inForce.map(overlayVersion).sort().join('\n')}\n${structuralHash(pool.spec.template.metadata?.labels ?? {})}`;
    const offered = this.#offeredUnder(key, name);
    if (offered.last?.from === from) return offered.last.types;
    const labelsOfPool = poolLabelRequirements(pool, labelCatalog);
    const types = yield* applyingOverlays({ types: from, labels: labelsOfPool }, overlayRules(inForce, labelCatalog), offered.made);
    // Another run may have ended meanwhile: both give the same list.
    if (offered.last?.from !== from) offered.last = { from, types };
    return offered.last.types;
  }

  #offeredUnder(key: string, pool: string): Offered {
    const before = this.#offered.get(pool);
    if (before?.key === key) return before;
    const offered: Offered = { key, made: new WeakMap() };
    this.#offered.set(pool, offered);
    return offered;
  }

  #poolOf(claim: NodeClaim): NodePool | undefined {
    return this.#deps.nodePools.get({ name: nodePoolNameOf(claim) });
  }

  #inForce(pool: string): readonly NodeOverlay[] {
    const { overlays, verdicts } = this.#deps;
    const all = overlays.list();
    if (!overlays.hasSynced() || (all.length > 0 && !verdicts.hasSeen(pool))) throw unevaluated(pool);
    return all.filter((overlay) => verdicts.isInForce(overlay));
  }
}

/**
 * The provider with the NodeOverlays in force applied: their prices and capacities in `getInstanceTypes` and, by
 * `asPlanned`, where a launch picks its machine; their capacities on launched machines. Overlays that were not
 * evaluated yet change nothing. Errors: besides the provider's own, `node-pool-unevaluated` for a pool whose types were
 * not evaluated yet.
 */
export const overlaidProvider = (provider: CloudProvider, deps: OverlaidProviderDeps): CloudProvider => {
  const overlays = new Overlays(provider, deps);
  const asPlanned: TypesAsPlanned = (claim, types) => overlays.asPlanned(claim, types);
  return {
    ...unchangedOf(provider),
    create: async (claim, options) => {
      await overlays.prepare(claim, options);
      return overlays.completed(await provider.create(claim, { ...options, asPlanned }), claim);
    },
    delete: (claim, options) => provider.delete(claim, options),
    get: (providerId, options) => provider.get(providerId, options),
    list: (options) => provider.list(options),
    getInstanceTypes: (pool, options) => overlays.offer(pool, options),
    isDrifted: (claim, options) => provider.isDrifted(claim, options),
  };
};

const type = nodeOverlayConditions.validationSucceeded;

/** A verdict as `ValidationSucceeded` says it to people. */
const verdictChange = (verdict: OverlayVerdict): ConditionChange => {
  switch (verdict.kind) {
    case 'in-force':
      return { type, status: 'True' };
    case 'invalid': {
      const message = verdict.problems.map(({ field, value, problem }) => `${field}: ${JSON.stringify(value)} ${problem}`).join('; ');
      return { type, status: 'False', reason: 'RuntimeValidation', message };
    }
    case 'conflict': {
      const { with: other, about, instanceType } = verdict.conflict;
      const what = about === 'price' ? 'the price' : `the ${about}`;
      const message = `conflict with NodeOverlay "${other}" of the same weight: both state ${what} of instance type ${instanceType}`;
      return { type, status: 'False', reason: 'Conflict', message };
    }
    default:
      return unreachable(verdict);
  }
};

/** What a provider sells may change without a word; prices and types are checked again this often at least. */
const PERIOD_MS = 6 * 3_600_000;

/**
 * Evaluates all NodeOverlays together and passes the result to the provider that applies them. The conditions of each
 * overlay show whether it applies. A change of one overlay, pool or NodeClass may settle another overlay's conflict, so
 * every change evaluates all of them.
 */
export const nodeOverlay = (
  shell: Pick<Shell, 'kube' | 'caches' | 'clock' | 'provider' | 'state'>,
  evaluating: Omit<Evaluating, 'nodePools' | 'guard' | 'clock'>,
): Controller<NodeOverlay> => {
  const { caches, state, clock } = shell;
  const evaluator = new OverlayEvaluator({ ...evaluating, nodePools: caches.nodePools, guard: state.guard, clock });
  const everyOverlay = (): readonly ObjectKey[] => evaluating.overlays.list().map(({ metadata: { name } }) => ({ name }));
  const kinds = ['NodeOverlay', 'NodePool', ...shell.provider.getSupportedNodeClasses().map(({ kind }) => kind)];
  return {
    name: 'nodeoverlay',
    kind: 'NodeOverlay',
    watches: kinds.map((kind) => watchOf(kind, everyOverlay)),
    async reconcile(overlay, { signal }) {
      const { byVersion, failure } = await evaluator.evaluate(signal);
      const verdict = byVersion.get(overlayVersion(overlay));
      // Another wording of it came meanwhile, and with it another turn.
      if (verdict === undefined) return settled;
      await writeOverlayStatus(shell, { overlay, change: verdictChange(verdict) }, { signal, nowMs: shell.clock.now() });
      // The loop logs it and retries with backoff. A NodeClass that is not ready needs no retry: its change is watched.
      if (failure !== undefined) throw failure;
      return requeueAfter(PERIOD_MS);
    },
  };
};

/**
 * A provider as the NodeOverlays have it, and the controllers that see to that; the provider itself and none where they
 * do not count.
 */
export const withOverlays = (
  provider: CloudProvider,
  { caches: { nodeOverlays: overlays, nodePools }, clock }: { readonly caches: Caches; readonly clock: Clock },
): { readonly provider: CloudProvider; readonly controllers: (shell: Shell) => readonly Controller[] } => {
  if (overlays === undefined) return { provider, controllers: () => [] };
  const verdicts = new OverlayVerdicts();
  return {
    provider: overlaidProvider(provider, { overlays, nodePools, verdicts, clock }),
    controllers: (shell) => [nodeOverlay(shell, { overlays, provider, verdicts })],
  };
};
