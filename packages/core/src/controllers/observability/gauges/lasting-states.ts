import type { Decision } from '../../../ports/index.ts';

type Of<K extends Decision['kind']> = Extract<Decision, { readonly kind: K }>;
type Samenesses = { readonly [K in Decision['kind']]?: (decision: Of<K>) => string | undefined };

const AGAIN_AFTER_MS = 15 * 60_000;

/**
 * What a state that lasts brings up again and again, by what makes it the same; undefined: news. Kinds that are not
 * here are always news.
 */
const samenesses: Samenesses = {
  'plan-computed': ({ plan: { plannedNodes, placements, rejections }, pods }) =>
    plannedNodes.length + placements.size > 0 ? undefined : `${pods} ${rejections.length}`,
  'left-out': ({ leftOut: { kind, name, problem } }) => `${kind} ${name} ${problem.field} ${problem.value}`,
  'node-claim-refused': ({ planned, resource }) => `${planned.nodePoolName} ${resource}`,
  'eviction-blocked': ({ pod: { metadata }, message }) => `${metadata.uid ?? metadata.name} ${message}`,
  // The message has figures of budgets, which change at each poll.
  'drain-waiting': ({ node, pods, holds }) => `${node.metadata.name} ${pods.join()} ${holds.join()}`,
  'deadline-nears': ({ claim, deadline }) => `${claim.metadata.name} ${deadline}`,
  'volumes-awaited': ({ node, volumes }) => `${node.metadata.name} ${volumes.join()}`,
  'claim-inconsistent': ({ claim, message }) => `${claim.metadata.name} ${message}`,
  'repair-blocked': ({ node }) => node.metadata.name,
  'command-waiting': ({ command }) => command.id,
  'rebalance-changed': ({ plan: { metadata, status } }) => `${metadata.name} ${status?.waves ?? 0} ${status?.message ?? ''}`,
  'catalog-failed': ({ nodePoolName, error }) => `${nodePoolName} ${String(error)}`,
};

const samenessOf = (decision: Decision): string | undefined =>
  // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
  (samenesses[decision.kind] as ((decision: Decision) => string | undefined) | undefined)?.(decision);

/** Drops what was reported in the last 15 minutes: a pod that fits nowhere must not fill the log. */
export class LastingStates {
  readonly #saidAtMs = new Map<string, number>();

  isNews(decision: Decision, nowMs: number): boolean {
    const sameness = samenessOf(decision);
    if (sameness === undefined) return true;
    const key = `${decision.kind} ${sameness}`;
    for (const [said, atMs] of this.#saidAtMs) {
      if (nowMs < atMs + AGAIN_AFTER_MS) break;
      this.#saidAtMs.delete(said);
    }
    if (this.#saidAtMs.has(key)) return false;
    this.#saidAtMs.set(key, nowMs);
    return true;
  }
}
