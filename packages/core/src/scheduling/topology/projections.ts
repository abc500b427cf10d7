import { newFork, stepTo } from '../../base/index.ts';
import type { Fork } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';

/**
 * What selectors see of pods, as texts. Equal pods have one and the same text, so that to look it up costs no comparison, and for most pods
 * none is put together.
 */
export class Projections {
  readonly #labelKeys: readonly string[];
  readonly #root: Fork<string> = newFork();

  /** The labels that selectors read. */
  constructor(labelKeys: readonly string[]) {
    this.#labelKeys = labelKeys;
  }

  /** Of a pod that shares these claims, whose volume is not made yet, with others. */
  of({ metadata: { namespace = 'default', labels } }: Pod, unmadeClaims: readonly string[]): string {
    let at = stepTo(this.#root, namespace);
    for (const key of this.#labelKeys) at = stepTo(at, labels?.[key]);
    for (const claim of unmadeClaims) at = stepTo(at, claim);
    return (at.value ??= [
      namespace,
      ...this.#labelKeys.map((key) => labels?.[key] ?? '\t'),
      ...unmadeClaims.map((claim) => `uses ${claim}`),
    ].join('\n'));
  }
}
