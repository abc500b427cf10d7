/** Why a pod is refused before anything of it is tried. A unit is about 3 µs of planning. */
export interface TooComplex {
  readonly kind: 'too-complex';
  /** What planning the pod would cost. */
  readonly units: number;
  /** What may be spent on one pod. */
  readonly most: number;
  /** What costs most, in words: `12,000 node affinity terms`. */
  readonly largest: string;
}

/** Distinguishes this reason from the other values of a union. */
export const isTooComplex = (value: object): value is TooComplex => 'kind' in value && value.kind === 'too-complex';
