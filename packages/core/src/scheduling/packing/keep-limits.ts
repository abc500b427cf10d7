import type { NodeView } from '../../cluster/index.ts';
import type { Draft } from '../places/draft.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import { keptWithin, limitsOf } from '../places/pool-budget.ts';

/** The drafts in their order, each kept to sizes at which the limits of its pool hold however the nodes are launched. */
export const keepingLimits = (drafts: readonly Draft[], gone: readonly NodeView[]): readonly Draft[] => {
  const byTemplate = new Map<NodeTemplate, Draft[]>();
  for (const draft of drafts) {
    const { template } = draft.fit.state;
    const own = byTemplate.get(template);
    if (own === undefined) byTemplate.set(template, [draft]);
    else own.push(draft);
  }
  const kept = new Map(
    [...byTemplate].flatMap(([template, own]) => {
      const lean = keptWithin(own, limitsOf(template, gone));
      return own.map((draft, index): [Draft, Draft] => [draft, lean[index] ?? draft]);
    }),
  );
  return drafts.map((draft) => kept.get(draft) ?? draft);
};
