import { labels } from '../../apis/index.ts';
import { getOrMake, groupedDigits, highestOf, memoByKey, memoByObject, WeakMemory } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { MOST_PREFERENCES } from '../pod-classes/pod-preferences.ts';
import { hostPortsOf } from '../../kube/index.ts';
import type {
  Affinity,
  LabelSelector,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  ResourceRequirements,
  TopologySpreadConstraint,
} from '../../kube/index.ts';

/** One sort of content of a spec. */
interface Part {
  readonly what: string;
  readonly count: number;
  readonly units: number;
}

/** Units by content, as measured by the hostile benchmark. */
const UNITS = {
  container: 2,
  resource: 3,
  port: 60,
  toleration: 3,
  nodeTerm: 10,
  selectedInTerm: 0.2,
  expression: 20,
  value: 0.3,
  podTerm: 40,
  spread: 16,
} as const;

/** By how much one more topology key multiplies the combinations of domains. */
const DOMAINS_OF_KEY = 8;

const sum = <T>(list: readonly T[], of: (each: T) => number): number => list.reduce((total, each) => total + of(each), 0);

/** The lengths of a node selector term. */
export interface TermLengths {
  readonly matchExpressions?: readonly { readonly values?: readonly string[] }[];
}

export const nodeTermUnits = ({ matchExpressions = [] }: TermLengths): number =>
  UNITS.nodeTerm + sum(matchExpressions, ({ values = [] }) => 1 + values.length * UNITS.value);

const selectorUnits = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): number =>
  Object.keys(matchLabels).length * UNITS.expression +
  sum(matchExpressions, ({ values = [] }) => UNITS.expression + values.length * UNITS.value);

const podTermUnits = (term: PodAffinityTerm): number => {
  const { labelSelector, namespaces = [], namespaceSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const keys = (matchLabelKeys.length + mismatchLabelKeys.length) * UNITS.expression;
  return UNITS.podTerm + selectorUnits(labelSelector) + selectorUnits(namespaceSelector) + namespaces.length * UNITS.value + keys;
};

const containerParts = (spec: PodSpec): readonly Part[] => {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const of = ({ requests, limits }: ResourceRequirements = {}): number => Object.keys({ ...requests, ...limits }).length;
  const names = sum([...containers, spec], ({ resources }) => of(resources)) + of({ requests: spec.overhead ?? {} });
  const ports = hostPortsOf(spec).length;
  return [
    { what: 'containers', count: containers.length, units: containers.length * UNITS.container },
    { what: 'resources', count: names, units: names * UNITS.resource },
    { what: 'host ports', count: ports, units: ports * UNITS.port },
  ];
};

/** Each required term holds the node selector too. It is tried without preferences, and with each of those that count. */
const nodeParts = ({ nodeSelector = {}, affinity, tolerations = [] }: PodSpec, preferences: number): readonly Part[] => {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const searches = 1 + Math.min(preferences, MOST_PREFERENCES);
  const selected = Object.keys(nodeSelector).length;
  const ofTerms = sum(terms, nodeTermUnits) + terms.length * selected * UNITS.selectedInTerm;
  const combined = Math.max(UNITS.nodeTerm, ofTerms) * searches;
  return [
    { what: 'tolerations', count: tolerations.length, units: tolerations.length * UNITS.toleration },
    { what: 'labels in the node selector', count: selected, units: selected * UNITS.expression },
    { what: 'node affinity terms', count: terms.length, units: combined },
    { what: 'preferences', count: preferences, units: preferences + sum(preferred, ({ preference }) => nodeTermUnits(preference)) / 10 },
  ];
};

/** Preferred terms as `podPreferences` orders them, the heaviest first: those that are kept are among the first. */
const podTerms = ({
  affinity,
}: PodSpec): { readonly required: readonly PodAffinityTerm[]; readonly preferred: readonly PodAffinityTerm[] } => {
  const sides = [affinity?.podAntiAffinity, affinity?.podAffinity];
  return {
    required: sides.flatMap((side) => side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    preferred: sides
      .flatMap((side) => side?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      .sort((a, b) => b.weight - a.weight)
      .map(({ podAffinityTerm }) => podAffinityTerm),
  };
};

const spreadUnits = ({ labelSelector, matchLabelKeys = [], whenUnsatisfiable }: TopologySpreadConstraint): number =>
  (whenUnsatisfiable === 'DoNotSchedule' ? UNITS.spread : UNITS.podTerm) +
  selectorUnits(labelSelector) +
  matchLabelKeys.length * UNITS.expression;

const topologyParts = (spec: PodSpec): readonly Part[] => {
  const { required, preferred } = podTerms(spec);
  const terms = [...required, ...preferred.slice(0, MOST_PREFERENCES)];
  const { topologySpreadConstraints: spreads = [] } = spec;
  const hard = spreads.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  const keys = new Set([...required, ...hard].map(({ topologyKey }) => topologyKey));
  keys.delete(labels.hostname);
  const combinations = keys.size < 2 ? 0 : UNITS.spread * DOMAINS_OF_KEY ** Math.min(keys.size - 1, 9);
  return [
    { what: 'pod affinity terms', count: terms.length, units: sum(terms, podTermUnits) },
    { what: 'topology spread constraints', count: spreads.length, units: sum(spreads, spreadUnits) },
    { what: 'topology keys', count: keys.size, units: combinations },
  ];
};

const preferencesOf = (spec: PodSpec): number => {
  const soft = (spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway').length;
  const ofNodes = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.length ?? 0;
  return podTerms(spec).preferred.length + soft + ofNodes;
};

const partsOf = (spec: PodSpec): readonly Part[] => [
  { what: 'characters', count: spec.cutCharacters ?? 0, units: spec.cutCharacters ?? 0 },
  ...containerParts(spec),
  ...nodeParts(spec, preferencesOf(spec)),
  ...topologyParts(spec),
];

/** What costs most of a spec, in words: `12,000 node affinity terms`. */
export const largestPart = (spec: PodSpec): string => {
  const { count, what } = partsOf(spec).reduce((a, b) => (b.units > a.units ? b : a));
  return `${groupedDigits(count)} ${what}`;
};

/** Lists up to here are read before their work is known: reading is linear. */
const LONG = 64;

const isLong = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > LONG;

const isTermLarge = ({ matchExpressions }: NodeSelectorTerm | LabelSelector): boolean =>
  matchExpressions !== undefined && (isLong(matchExpressions) || matchExpressions.some(({ values }) => isLong(values)));

const isPodTermLarge = ({ labelSelector, namespaces, namespaceSelector }: PodAffinityTerm): boolean =>
  isLong(namespaces) || isTermLarge(labelSelector ?? {}) || isTermLarge(namespaceSelector ?? {});

const isSideLarge = (side: PodAffinity | undefined): boolean => {
  const required = side?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = side?.preferredDuringSchedulingIgnoredDuringExecution;
  return isLong(required) || isLong(preferred) || required.some(isPodTermLarge);
};

const isAffinityLarge = ({ nodeAffinity, podAffinity, podAntiAffinity }: Affinity): boolean => {
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  return isLong(terms) || isLong(preferred) || terms.some(isTermLarge) || isSideLarge(podAffinity) || isSideLarge(podAntiAffinity);
};

/** Whether the spec has long lists, at a glance. Runs several times for each pod, and allocates nothing. */
const mayBeLarge = ({ cutCharacters, containers, affinity, topologySpreadConstraints, tolerations }: PodSpec): boolean => {
  if (cutCharacters !== undefined || isLong(containers) || isLong(tolerations) || isLong(topologySpreadConstraints)) return true;
  return affinity !== undefined && isAffinityLarge(affinity);
};

const known = new WeakMemory<PodSpec, { readonly units: number }>();

const unitsTogether = (spec: PodSpec): { readonly units: number } => ({ units: Math.round(sum(partsOf(spec), (part) => part.units)) });

const unitsOf = (spec: PodSpec): number => getOrMake(known, spec, unitsTogether).units;

/** What is malformed costs nothing: such a pod is refused. */
const unlessMalformed = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return otherwise;
  }
};

/**
 * What planning a pod costs at most, before anything of it is compiled. A unit is about 3 µs on the machine of the
 * benchmarks. Costs a walk over the lists of the spec, once.
 */
export const podWork = (spec: PodSpec): number => unlessMalformed(() => unitsOf(spec), 0);

/** The same for specs that may be large; the others cost little enough to be read first. */
export const workOfLarge = (spec: PodSpec): number => unlessMalformed(() => (mayBeLarge(spec) ? unitsOf(spec) : 0), 0);

/** How many domains machines of a snapshot may be in. */
export interface MachineDomains {
  /** How many values of the label instance types state. */
  readonly valuesOf: (key: string) => number;
  /** How many combinations of all labels there are at most: the offerings that can be bought. */
  readonly combinations: number;
}

const statedValues = memoByObject((types: readonly InstanceType[]) =>
  memoByKey((key: string): number => {
    const values = new Set<string>();
    for (const { requirements } of types) for (const value of requirements.get(key)?.values.values ?? []) values.add(value);
    return values.size;
  }),
);

export const machineDomains = (pools: readonly { readonly instanceTypes: readonly InstanceType[] }[]): MachineDomains => {
  const lists = [...new Set(pools.map(({ instanceTypes }) => instanceTypes))];
  return {
    valuesOf: memoByKey((key) =>
      highestOf(
        lists.map((types) => statedValues(types)(key)),
        0,
      ),
    ),
    combinations: highestOf(
      lists.map((types) => sum(types, ({ offerings }) => offerings.length)),
      0,
    ),
  };
};

/** Units of a combination of domains: to be passed over, and to be found by the first pod that leads to it. */
const UNITS_OF_A_COMBINATION = { known: 0.05, found: 1 } as const;

/** By how much one more node affinity term multiplies what is found: most of it is found by the first. */
const MORE_BY_A_TERM = 1 / 4;

const unitsToChoose = ({ nodeSelector = {}, affinity }: PodSpec, keys: readonly string[], machines: MachineDomains): number => {
  const counts = [...new Set(keys)].filter((key) => key !== labels.hostname).map(machines.valuesOf);
  const product = counts.reduce((all, count) => all * Math.max(1, count), 1);
  const combinations = Math.min(machines.combinations, product);
  if (affinity?.nodeAffinity === undefined && Object.keys(nodeSelector).length === 0) return combinations * UNITS_OF_A_COMBINATION.known;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms.length ?? 0;
  const found = combinations + sum(counts, (count) => count);
  return found * UNITS_OF_A_COMBINATION.found * (1 + Math.max(0, terms - 1) * MORE_BY_A_TERM);
};

/**
 * Units to choose among the domains of machines, beside `podWork`: there are as many as instance types where a pod
 * spreads over these. Pods without requirements of nodes share what was found, each of the others finds it for itself.
 */
export const domainWork = (spec: PodSpec, topologyKeysOf: (spec: PodSpec) => readonly string[], machines: MachineDomains): number =>
  unlessMalformed(() => Math.round(unitsToChoose(spec, topologyKeysOf(spec), machines)), 0);

/** The part of `podWork` that a pod costs where it runs: its affinity to other pods, and its spreads. */
export const topologyWork = (spec: PodSpec): number => unlessMalformed(() => sum(topologyParts(spec), ({ units }) => units), 0);
