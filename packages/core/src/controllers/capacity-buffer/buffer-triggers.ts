import { labels } from '../../apis/index.ts';
import type { Node } from '../../kube/index.ts';
import type { Shell } from '../shell.ts';

const isInitialized = ({ metadata }: Node): boolean => metadata.labels?.[labels.initialized] === 'true';

/**
 * Calls `trigger` when the room of buffers may have changed: a buffer asks for something else, and while there is one,
 * a pod is bound or leaves, or a node has come up or is gone.
 */
export const bufferTriggers = ({ state, caches, clock }: Pick<Shell, 'state' | 'caches' | 'clock'>, trigger: () => void): void => {
  if (caches.capacityBuffers === undefined) return;
  const triggerForBuffers = (): void => {
    if (state.buffers.views(clock.now()).length > 0) trigger();
  };
  state.buffers.onChange(trigger);
  state.onPodTransition(({ kind }) => {
    if (kind !== 'waiting') triggerForBuffers();
  });
  caches.nodes.subscribe((change) => {
    const isNews = change.type === 'updated' ? isInitialized(change.object) !== isInitialized(change.previous) : change.type === 'deleted';
    if (isNews) triggerForBuffers();
  });
};
