import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Draft } from '../places/drafts/draft.ts';
import { keptWithin, poolLimits, sharedLimits } from '../places/limits/limit-ledger.ts';
import type { NodeTemplate } from '../places/node-model.ts';

const keepingPoolLimits = (drafts: readonly Draft[], gone: readonly NodeView[]): readonly Draft[] => {
  const byPool = new Map<NodePoolView, { readonly template: NodeTemplate; readonly own: Draft[] }>();
  for (const draft of drafts) {
    const { template } = draft.fit.state;
    const ofPool = byPool.get(template.pool);
    if (ofPool === undefined) byPool.set(template.pool, { template, own: [draft] });
    else ofPool.own.push(draft);
  }
  const kept = new Map(
    [...byPool.values()].flatMap(({ template, own }) => {
      const lean = keptWithin(own, poolLimits(template, gone));
      return own.map((draft, index): [Draft, Draft] => [draft, lean[index] ?? draft]);
    }),
  );
  return drafts.map((draft) => kept.get(draft) ?? draft);
};

/**
 * The drafts in their order, each kept to sizes at which the limits of its pool and of the cluster hold however the
 * nodes are launched.
 */
export const keepingLimits = (drafts: readonly Draft[], gone: readonly NodeView[]): readonly Draft[] => {
  const kept = keepingPoolLimits(drafts, gone);
  const [any] = kept;
  return any === undefined ? kept : keptWithin(kept, sharedLimits(any.fit.state.template, gone));
};
