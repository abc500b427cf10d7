import type { Pod } from '@karpenter/core';
import type { LabelSelector } from '@karpenter/core/internal';
import { drawRequirement } from './drawn-requirements.ts';
import { FAMILY } from './drawn-types.ts';
import type { Draws } from './draws.ts';
import { CAPACITY_TYPE, HOSTNAME, TEAM, ZONE } from './setting.ts';
import type { Setting } from './setting.ts';

type Affinity = NonNullable<Pod['spec']['affinity']>;
type PodAffinity = NonNullable<Affinity['podAffinity']>;
type PodTerm = NonNullable<PodAffinity['requiredDuringSchedulingIgnoredDuringExecution']>[number];
type Spread = NonNullable<Pod['spec']['topologySpreadConstraints']>[number];

/** The label whose value differs between the revisions of a Deployment. */
export const REVISION = 'pod-template-hash';

/** Selects pods of the app, of a few apps, of all but one, of any, or all pods. */
const drawSelector = (draws: Draws, { apps }: Setting, app: string): LabelSelector => {
  const percent = draws.between(1, 100);
  if (percent <= 60) return { matchLabels: { app } };
  if (percent <= 75) return { matchExpressions: [{ key: 'app', operator: 'In', values: draws.someOf(apps, 2) }] };
  if (percent <= 85) return { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [draws.oneOf(apps)] }] };
  return percent <= 95 ? { matchExpressions: [{ key: 'app', operator: 'Exists' }] } : {};
};

/** Nothing: the namespace of the pod. */
const drawNamespaces = (draws: Draws, { namespaces }: Setting): Pick<PodTerm, 'namespaces' | 'namespaceSelector'> => {
  if (namespaces.length === 1 || !draws.chance(35)) return {};
  if (!draws.chance(50)) return { namespaceSelector: draws.oneOf([{}, { matchLabels: { env: 'live' } }]) };
  const names = namespaces.map(({ metadata }) => metadata.name);
  return { namespaces: draws.someOf(names, draws.between(1, names.length)) };
};

const drawPodTerm = (draws: Draws, setting: Setting, app: string): PodTerm => ({
  topologyKey: draws.oneOf([ZONE, HOSTNAME, HOSTNAME, CAPACITY_TYPE]),
  labelSelector: drawSelector(draws, setting, app),
  ...drawNamespaces(draws, setting),
  ...draws.maybe(12, () => ({ matchLabelKeys: [REVISION] })),
});

/** One required or one preferred term. */
const drawPodAffinity = (draws: Draws, term: () => PodTerm): PodAffinity =>
  draws.chance(50)
    ? { requiredDuringSchedulingIgnoredDuringExecution: [term()] }
    : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: draws.oneOf([1, 50, 100]), podAffinityTerm: term() }] };

const drawNodeAffinity = (draws: Draws, setting: Setting): NonNullable<Affinity['nodeAffinity']> => {
  const requirements = (count: number) => ({ matchExpressions: draws.times(count, () => drawRequirement(draws, setting)) });
  const required = draws.maybe(70, () => ({
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: draws.times(draws.oneOf([1, 1, 2, 3]), () => requirements(draws.oneOf([1, 1, 2]))),
    },
  }));
  const preferred = draws.maybe(required === undefined ? 100 : 50, () => ({
    preferredDuringSchedulingIgnoredDuringExecution: draws.times(draws.oneOf([1, 2]), () => ({
      weight: draws.oneOf([1, 10, 50, 100]),
      preference: requirements(1),
    })),
  }));
  return { ...required, ...preferred };
};

/** Affinity to nodes, to pods and away from pods, each in some cases. Undefined where there is none. */
export const drawAffinity = (draws: Draws, setting: Setting, app: string): Affinity | undefined => {
  const { apps } = setting;
  const affinity: Affinity = {
    ...draws.maybe(30, () => ({ nodeAffinity: drawNodeAffinity(draws, setting) })),
    ...draws.maybe(20, () => ({
      podAffinity: drawPodAffinity(draws, () => drawPodTerm(draws, setting, draws.oneOf([app, app, draws.oneOf(apps)]))),
    })),
    ...draws.maybe(30, () => ({
      podAntiAffinity: drawPodAffinity(draws, () => drawPodTerm(draws, setting, draws.oneOf([app, app, draws.oneOf(apps)]))),
    })),
  };
  return Object.keys(affinity).length === 0 ? undefined : affinity;
};

const drawSpread = (draws: Draws, setting: Setting, app: string): Spread => {
  const whenUnsatisfiable = draws.oneOf(['DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'] as const);
  return {
    maxSkew: draws.oneOf([1, 1, 2, 3]),
    topologyKey: draws.oneOf([ZONE, HOSTNAME, CAPACITY_TYPE, TEAM, draws.oneOf([ZONE, HOSTNAME, FAMILY])]),
    whenUnsatisfiable,
    labelSelector: drawSelector(draws, setting, app),
    // The API server takes it from no other spreads.
    ...draws.maybe(whenUnsatisfiable === 'DoNotSchedule' ? 15 : 0, () => ({ minDomains: draws.oneOf([1, 2, 3]) })),
    ...draws.maybe(15, () => ({ nodeTaintsPolicy: draws.oneOf(['Honor', 'Ignore'] as const) })),
    ...draws.maybe(10, () => ({ nodeAffinityPolicy: draws.oneOf(['Honor', 'Ignore'] as const) })),
    ...draws.maybe(12, () => ({ matchLabelKeys: [REVISION] })),
  };
};

/** One or two spreads over different labels. */
export const drawSpreads = (draws: Draws, setting: Setting, app: string): readonly Spread[] => {
  const drawn = draws.times(draws.oneOf([1, 1, 2]), () => drawSpread(draws, setting, app));
  return drawn.filter(({ topologyKey }, index) => drawn.findIndex((other) => other.topologyKey === topologyKey) === index);
};
