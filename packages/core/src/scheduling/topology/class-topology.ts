import type { AffinityCheck, CheckList, Checks, Group, GroupTable, SpreadCheck } from './group.ts';
import type { DomainTable } from './domain-table.ts';
import { HOST } from './domain-table.ts';
import type { PodIdentity } from './pod-matcher.ts';
import type { TopologyConstraints, WantedTerm, WantedTopology } from './topology-constraints.ts';

/** How a class depends on other pods, and they on it. */
export interface ClassTopology {
  /** The groups that count its pods. */
  readonly countedBy: readonly Group[];
  /** What is checked of a place for the requirements alone. */
  readonly required: Checks;
  /** The preferences about other pods, a bit each; 0 where there are none or they are ignored. */
  readonly preferences: number;
  /** What is checked for the requirements and these preferences. Bits of preferences about labels are ignored. */
  readonly checksWith: (preferences: number) => Checks;
  /** What one preference about other pods asks, alone; undefined for one about labels. */
  readonly checksOfPreference: (index: number) => Checks | undefined;
}

/** The tables that classes of one snapshot share. */
export interface TopologyTables {
  readonly domains: DomainTable;
  readonly groups: GroupTable;
}

/** Topology constraints, resolved to the groups that they read. */
interface InternedConstraints {
  readonly antiAffinity: readonly Group[];
  readonly affinity: readonly AffinityCheck[];
  readonly spreads: readonly SpreadCheck[];
  readonly carries: readonly Group[];
}

type Reading = Omit<InternedConstraints, 'carries'>;

const named = ({ domains }: TopologyTables, { topologyKey, matcher }: WantedTerm): Pick<Group, 'key' | 'topologyKey' | 'matcher'> => ({
  key: domains.keyNumber(topologyKey),
  topologyKey,
  matcher,
});

/** The groups that count the pods which carry these anti-affinity terms. They are required. */
export const internCarriers = (antiAffinity: readonly WantedTerm[], tables: TopologyTables): readonly Group[] =>
  antiAffinity.map((term) => {
    const found = tables.groups.intern('carriers', named(tables, term));
    found.isRequired = true;
    return found;
  });

/**
 * Resolves constraints to groups, adding those to the table that it lacks; required constraints mark their groups as
 * required.
 */
export const internGroups = (
  { antiAffinity, affinity, spreads }: TopologyConstraints,
  pod: PodIdentity,
  { tables, isRequired }: { readonly tables: TopologyTables; readonly isRequired: boolean },
): InternedConstraints => {
  const group = (kind: Group['kind'], what: Parameters<GroupTable['intern']>[1]): Group => {
    const found = tables.groups.intern(kind, what);
    found.isRequired ||= isRequired;
    return found;
  };
  return {
    antiAffinity: antiAffinity.map((term) => group('matched', named(tables, term))),
    carries: isRequired ? internCarriers(antiAffinity, tables) : [],
    affinity: affinity.map((terms) => {
      const allGroups = terms.map((term) => group('matched', named(tables, term)));
      return { groups: allGroups, allGroups, selectsItself: terms.every(({ matcher }) => matcher.matches(pod)) };
    }),
    spreads: spreads.map((spread) => ({
      group: group('spread', { ...named(tables, spread), filter: spread.filter }),
      maxSkew: spread.maxSkew,
      minDomains: spread.minDomains,
      self: spread.matcher.matches(pod) ? 1 : 0,
    })),
  };
};

const listOf = ({ antiAffinity, affinity, spreads }: Reading, isMine: (group: Group) => boolean): CheckList => ({
  antiAffinity: antiAffinity.filter(isMine),
  spreads: spreads.filter(({ group }) => isMine(group)),
  affinity: affinity.map((join) => ({ ...join, groups: join.groups.filter(isMine) })).filter(({ groups }) => groups.length > 0),
});

const checksOf = (readings: readonly Reading[], countedBy: readonly Group[]): Checks => {
  const all = {
    antiAffinity: [...new Set(readings.flatMap(({ antiAffinity }) => antiAffinity))],
    affinity: readings.flatMap(({ affinity }) => affinity),
    spreads: readings.flatMap(({ spreads }) => spreads),
  };
  const host = listOf(all, ({ key }) => key === HOST);
  const wide = listOf(all, ({ key }) => key !== HOST);
  const asked = [...wide.antiAffinity, ...wide.spreads.map(({ group }) => group), ...wide.affinity.flatMap(({ groups }) => groups)];
  const counted = countedBy.filter(({ isRequired, key }) => isRequired && key !== HOST);
  const keys = [...new Set([...asked, ...counted].map(({ key }) => key))].sort((a, b) => a - b);
  return { keys, host, wide };
};

/** Preferences → the checks with these as requirements. Made when they are first needed, because few of the many sets are. */
const checksReader = (
  must: readonly Reading[],
  preferences: readonly (Reading | undefined)[],
  countedBy: readonly Group[],
): ClassTopology['checksWith'] => {
  const known = new Map<number, Checks>();
  return (chosen) => {
    const found =
      known.get(chosen) ?? checksOf([...must, ...preferences.flatMap((each, i) => ((chosen >> i) & 1 ? (each ?? []) : []))], countedBy);
    known.set(chosen, found);
    return found;
  };
};

const bitsOf = (preferences: readonly (Reading | undefined)[]): number =>
  preferences.reduce((bits, each, i) => (each === undefined ? bits : bits | (1 << i)), 0);

/**
 * The topology of a class; undefined when it has no constraints and no group counts it. All groups of the snapshot must
 * be in the table by now.
 */
export const classTopology = (
  wanted: WantedTopology | undefined,
  pod: PodIdentity,
  { tables, respectsPreferences }: { readonly tables: TopologyTables; readonly respectsPreferences: boolean },
): ClassTopology | undefined => {
  const read = (constraints: TopologyConstraints, isRequired: boolean): InternedConstraints =>
    internGroups(constraints, pod, { tables, isRequired });
  const required = wanted && read(wanted.required, true);
  const preferences = respectsPreferences && wanted !== undefined ? wanted.preferences.map((each) => each && read(each, false)) : [];
  const keptOffBy = tables.groups.keepingOff(pod);
  const counting = tables.groups.counting(pod);
  if (keptOffBy.length + counting.length === 0 && required === undefined) return undefined;
  const countedBy = [...new Set([...counting, ...(required?.carries ?? [])])];
  const bare = { antiAffinity: keptOffBy, affinity: [], spreads: [] };
  // Its own terms are few and mostly refuse the same hosts; those of thousands of other pods are read where they do not.
  const checksWith = checksReader(required === undefined ? [bare] : [required, bare], preferences, countedBy);
  const mask = bitsOf(preferences);
  return {
    ...{ countedBy, required: checksWith(0), preferences: mask },
    checksWith: (chosen) => checksWith(chosen & mask),
    checksOfPreference: (index) => {
      const reading = preferences[index];
      return reading && checksOf([reading], []);
    },
  };
};
