import type { Pod } from '../../kube/index.ts';

/** Where a walk over what selectors see has come to: pods that led here look the same so far. */
interface Fork {
  readonly next: Map<string | undefined, Fork>;
  readonly text: string;
}

const step = ({ next, text }: Fork, seen: string | undefined): Fork => {
  const known = next.get(seen);
  if (known !== undefined) return known;
  const fresh = { next: new Map<string | undefined, Fork>(), text: `${text}\n${seen ?? '\t'}` };
  next.set(seen, fresh);
  return fresh;
};

/**
 * What selectors see of pods, as texts. Equal pods have one and the same text, so that to look it up costs no comparison, and for most pods
 * none is put together.
 */
export class Projections {
  readonly #labelKeys: readonly string[];
  readonly #root: Fork = { next: new Map(), text: '' };

  /** The labels that selectors read. */
  constructor(labelKeys: readonly string[]) {
    this.#labelKeys = labelKeys;
  }

  /** Of a pod that shares these claims, whose volume is not made yet, with others. */
  of({ metadata: { namespace, labels } }: Pod, unmadeClaims: readonly string[]): string {
    let at = step(this.#root, namespace ?? 'default');
    for (const key of this.#labelKeys) at = step(at, labels?.[key]);
    for (const claim of unmadeClaims) at = step(at, `uses ${claim}`);
    return at.text;
  }
}
