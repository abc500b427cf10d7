import { newTrie, childOf } from '../../base/index.ts';
import type { TrieNode } from '../../base/index.ts';
import type { Labels, Pod } from '../../kube/index.ts';

/**
 * What selectors see of pods, as texts. Equal pods get the very same string, so that it is cheap as a key, and for most
 * pods none has to be built. Costs the labels of the pod, however many labels selectors read.
 */
export class Projections {
  readonly #labelKeys: ReadonlySet<string>;
  readonly #root: TrieNode<string> = newTrie();

  /** `labelKeys`: the labels that selectors read. */
  constructor(labelKeys: readonly string[]) {
    this.#labelKeys = new Set(labelKeys);
  }

  /** `unboundClaims`: those that the pod shares with others. */
  of({ metadata: { namespace = 'default', labels = {} } }: Pod, unboundClaims: readonly string[]): string {
    const keys = this.#keysOf(labels);
    let at = childOf(childOf(this.#root, namespace), keys.length);
    for (const key of keys) at = childOf(childOf(at, key), labels[key]);
    for (const claim of unboundClaims) at = childOf(at, claim);
    return (at.value ??= [
      namespace,
      ...keys.map((key) => `${key}=${labels[key] ?? ''}`),
      ...unboundClaims.map((claim) => `uses ${claim}`),
    ].join('\n'));
  }

  /** Those of the labels that selectors read, in order. */
  #keysOf(labels: Labels): readonly string[] {
    const keys: string[] = [];
    for (const key of Object.keys(labels)) if (this.#labelKeys.has(key)) keys.push(key);
    return keys.length < 2 ? keys : keys.sort();
  }
}
