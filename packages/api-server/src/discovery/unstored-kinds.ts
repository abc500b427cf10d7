import { REVIEW_VERSIONS, reviewKinds } from '../access/reviews.ts';
import { METRICS_GROUP, METRICS_VERSION } from '../metrics/metrics-api.ts';

/** A kind whose objects are computed on read. */
export interface UnstoredKind {
  readonly groupVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
}

const METRICS: readonly UnstoredKind[] = (
  [
    ['NodeMetrics', 'nodes', false],
    ['PodMetrics', 'pods', true],
  ] as const
).map(([kind, plural, isNamespaced]) => ({
  ...{ groupVersion: `${METRICS_GROUP}/${METRICS_VERSION}`, kind, plural, singular: '' },
  ...{ isNamespaced, verbs: ['get', 'list'] },
}));

const REVIEWS: readonly UnstoredKind[] = REVIEW_VERSIONS.flatMap((groupVersion) =>
  reviewKinds(groupVersion).map((kind) => {
    const singular = kind.toLowerCase();
    return { groupVersion, kind, plural: `${singular}s`, singular, isNamespaced: false, verbs: ['create'] };
  }),
);

/** Reviews, and what metrics-server serves. */
export const UNSTORED_KINDS: readonly UnstoredKind[] = [...REVIEWS, ...METRICS];
