import { newTrie, childOf } from '../../base/index.ts';
import type { TrieNode } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';

/**
 * What selectors see of pods, as texts. Equal pods get the very same string, so that it is cheap as a key, and for most pods none has to be built.
 */
export class Projections {
  readonly #labelKeys: readonly string[];
  readonly #root: TrieNode<string> = newTrie();

  /** `labelKeys`: the labels that selectors read. */
  constructor(labelKeys: readonly string[]) {
    this.#labelKeys = labelKeys;
  }

  /** `unboundClaims`: those that the pod shares with others. */
  of({ metadata: { namespace = 'default', labels } }: Pod, unboundClaims: readonly string[]): string {
    let at = childOf(this.#root, namespace);
    for (const key of this.#labelKeys) at = childOf(at, labels?.[key]);
    for (const claim of unboundClaims) at = childOf(at, claim);
    return (at.value ??= [
      namespace,
      ...this.#labelKeys.map((key) => labels?.[key] ?? '\t'),
      ...unboundClaims.map((claim) => `uses ${claim}`),
    ].join('\n'));
  }
}
