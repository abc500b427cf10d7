import type { ConditionChange } from '../../actions/index.ts';
import { nodeOverlayConditions } from '../../apis/index.ts';
import { unreachable } from '../../base/index.ts';
import type { Evaluating, OverlayVerdict } from './overlay-evaluator.ts';
import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller, ObjectKey } from '@karpenter/runtime';
import { writeOverlayStatus } from '../../actions/index.ts';
import type { NodeOverlay } from '../../apis/index.ts';
import type { Shell } from '../shell.ts';
import { OverlayEvaluator, OverlayVerdicts, overlayVersion } from './overlay-evaluator.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import type { Caches } from '../../ports/index.ts';
import { overlaidProvider } from './overlaid-provider.ts';

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

/** What a provider sells may change without a word; prices and types are looked at again this often at least. */
const PERIOD_MS = 6 * 3_600_000;

/**
 * Evaluates all NodeOverlays together and passes the result to the provider that applies them. The conditions of each
 * overlay show whether it applies. A change of one overlay, pool or NodeClass may settle another overlay's conflict, so
 * every change evaluates all of them.
 */
export const nodeOverlay = (
  shell: Pick<Shell, 'kube' | 'caches' | 'clock' | 'provider'>,
  evaluating: Omit<Evaluating, 'nodePools'>,
): Controller<NodeOverlay> => {
  const evaluator = new OverlayEvaluator({ ...evaluating, nodePools: shell.caches.nodePools });
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
  { nodeOverlays: overlays, nodePools }: Caches,
): { readonly provider: CloudProvider; readonly controllers: (shell: Shell) => readonly Controller[] } => {
  if (overlays === undefined) return { provider, controllers: () => [] };
  const verdicts = new OverlayVerdicts();
  return {
    provider: overlaidProvider(provider, { overlays, nodePools, verdicts }),
    controllers: (shell) => [nodeOverlay(shell, { overlays, provider, verdicts })],
  };
};
