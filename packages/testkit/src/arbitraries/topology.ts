import type { LabelSelector, PodAffinityTerm, TopologySpreadConstraint } from '@karpenter/core/internal';
import fc from 'fast-check';
import { awayFrom, inNamespace, labelled, nextTo, ratherAwayFrom, ratherNextTo, spreadOver } from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';

const keys = fc.constantFrom(
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/zone',
  'team',
  'kubernetes.io/arch',
  'karpenter.sh/capacity-type',
);

const selectors: fc.Arbitrary<LabelSelector> = fc.constantFrom<LabelSelector>(
  { matchLabels: { app: 'web' } },
  { matchLabels: { app: 'web' } },
  { matchLabels: { app: 'db' } },
  { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
  {},
);

const usuallySelecting = fc.oneof(
  { weight: 8, arbitrary: selectors.map((labelSelector) => ({ labelSelector })) },
  { weight: 1, arbitrary: fc.constant({}) },
);

const scopes = fc.constantFrom<Partial<PodAffinityTerm>>(
  {},
  {},
  {},
  { namespaces: ['shop'] },
  { namespaceSelector: {} },
  { namespaceSelector: { matchLabels: { tier: 'front' } } },
  { matchLabelKeys: ['revision'] },
  { mismatchLabelKeys: ['revision'] },
);

const terms: fc.Arbitrary<PodAffinityTerm> = fc
  .tuple(keys, usuallySelecting, scopes)
  .map(([topologyKey, selecting, scope]) => ({ topologyKey, ...selecting, ...scope }));

const spreads: fc.Arbitrary<TopologySpreadConstraint> = fc
  .tuple(
    keys,
    usuallySelecting,
    fc.record({
      maxSkew: fc.constantFrom(1, 1, 2),
      whenUnsatisfiable: fc.constantFrom('DoNotSchedule' as const, 'DoNotSchedule' as const, 'ScheduleAnyway' as const),
    }),
    fc.constantFrom<Partial<TopologySpreadConstraint>>(
      {},
      {},
      {},
      { nodeAffinityPolicy: 'Ignore' },
      { nodeTaintsPolicy: 'Honor' },
      { nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' },
      { matchLabelKeys: ['revision'] },
    ),
    fc.constantFrom(1, 1, 2, 4),
  )
  .map(([topologyKey, selecting, how, policies, minDomains]) => ({
    topologyKey,
    ...selecting,
    ...how,
    ...policies,
    ...(how.whenUnsatisfiable === 'DoNotSchedule' && minDomains > 1 ? { minDomains } : {}),
  }));

const labels = fc.constantFrom<Readonly<Record<string, string>>>({}, { app: 'web' }, { app: 'web', revision: '2' }, { app: 'db' });

const options: fc.Arbitrary<PodTrait> = fc.oneof(
  terms.map(awayFrom),
  terms.map(nextTo),
  spreads.map(spreadOver),
  spreads.map(spreadOver),
  fc.tuple(terms, fc.integer({ min: 1, max: 100 })).map(([term, weight]) => ratherAwayFrom(weight, term)),
  fc.tuple(terms, fc.integer({ min: 1, max: 100 })).map(([term, weight]) => ratherNextTo(weight, term)),
);

/** Labels, a namespace, and sometimes up to three constraints on where other pods are. */
export const someTopology: fc.Arbitrary<PodTrait> = fc
  .tuple(labels, fc.constantFrom('default', 'default', 'shop'), fc.oneof(fc.constant([]), fc.array(options, { maxLength: 3 })))
  .map(
    ([own, namespace, asked]): PodTrait =>
      (pod) =>
        [labelled(own), inNamespace(namespace), ...asked].reduce((changed, trait) => trait(changed), pod),
  );
