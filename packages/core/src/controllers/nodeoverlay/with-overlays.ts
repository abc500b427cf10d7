import type { Controller } from '@karpenter/runtime';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import type { Caches } from '../../ports/index.ts';
import type { Shell } from '../shell.ts';
import { nodeOverlay } from './node-overlay.ts';
import { overlaidProvider } from './overlaid-provider.ts';
import { OverlayVerdicts } from './overlay-verdicts.ts';

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
