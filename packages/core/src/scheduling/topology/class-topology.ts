import { compareText } from '../../base/index.ts';
import type { Checks, CheckList, JoinCheck, SpreadCheck } from './checks.ts';
import type { DomainTable } from './domain-table.ts';
import { HOST } from './domain-table.ts';
import type { Group, GroupTable } from './group.ts';
import type { PodIdentity } from './pod-matcher.ts';
import type { Arrangement, WantedTerm, WantedTopology } from './wanted-topology.ts';

/** What a class has to do with where other pods are. */
export interface ClassTopology {
  /** Groups that count its pods. */
  readonly gives: readonly Group[];
  /** Ways to ask for a place: with every wish first, with none last. */
  readonly ways: readonly Checks[];
}

/** The tables that classes of one snapshot share. */
export interface TopologyTables {
  readonly domains: DomainTable;
  readonly groups: GroupTable;
}

/** The groups that an arrangement reads, made known to the table. */
interface Reading {
  readonly apart: readonly Group[];
  readonly joins: readonly JoinCheck[];
  readonly spreads: readonly SpreadCheck[];
  readonly carries: readonly Group[];
}

const named = ({ domains }: TopologyTables, { topologyKey, matcher }: WantedTerm): Pick<Group, 'key' | 'topologyKey' | 'matcher'> => ({
  key: domains.keyNumber(topologyKey),
  topologyKey,
  matcher,
});

/** Makes the groups of an arrangement known, and marks them as required where they are. */
export const readArrangement = (
  { apart, together, spreads }: Arrangement,
  pod: PodIdentity,
  { tables, isRequired }: { readonly tables: TopologyTables; readonly isRequired: boolean },
): Reading => {
  const group = (kind: Group['kind'], what: Parameters<GroupTable['intern']>[1]): Group => {
    const found = tables.groups.intern(kind, what);
    found.isRequired ||= isRequired;
    return found;
  };
  return {
    apart: apart.map((term) => group('matched', named(tables, term))),
    carries: isRequired ? apart.map((term) => group('carriers', named(tables, term))) : [],
    joins: together.map((terms) => {
      const whole = terms.map((term) => group('matched', named(tables, term)));
      return { groups: whole, whole, meansItself: terms.every(({ matcher }) => matcher.matches(pod)) };
    }),
    spreads: spreads.map((spread) => ({
      group: group('spread', { ...named(tables, spread), filter: spread.filter }),
      maxSkew: spread.maxSkew,
      minDomains: spread.minDomains,
      self: spread.matcher.matches(pod) ? 1 : 0,
    })),
  };
};

const listOf = ({ apart, joins, spreads }: Omit<Reading, 'carries'>, isMine: (group: Group) => boolean): CheckList => ({
  apart: apart.filter(isMine),
  spreads: spreads.filter(({ group }) => isMine(group)),
  joins: joins.map((join) => ({ ...join, groups: join.groups.filter(isMine) })).filter(({ groups }) => groups.length > 0),
});

const checksOf = (readings: readonly Omit<Reading, 'carries'>[], gives: readonly Group[]): Checks => {
  const all = {
    apart: [...new Set(readings.flatMap(({ apart }) => apart))],
    joins: readings.flatMap(({ joins }) => joins),
    spreads: readings.flatMap(({ spreads }) => spreads),
  };
  const host = listOf(all, ({ key }) => key === HOST);
  const wide = listOf(all, ({ key }) => key !== HOST);
  const asked = [...wide.apart, ...wide.spreads.map(({ group }) => group), ...wide.joins.flatMap(({ groups }) => groups)];
  const counted = gives.filter(({ isRequired, key }) => isRequired && key !== HOST);
  const keys = [...new Set([...asked, ...counted].map(({ key }) => key))].sort((a, b) => a - b);
  return { keys, host, wide };
};

/** The topology of a class; undefined when no constraint reads it and it has none. All groups of the snapshot must be known by now. */
export const classTopology = (
  wanted: WantedTopology | undefined,
  pod: PodIdentity,
  { tables, respectsWishes }: { readonly tables: TopologyTables; readonly respectsWishes: boolean },
): ClassTopology | undefined => {
  const read = (arrangement: Arrangement, isRequired: boolean): Reading => readArrangement(arrangement, pod, { tables, isRequired });
  const required = wanted && read(wanted.required, true);
  const wishes = respectsWishes && wanted !== undefined ? wanted.wishes.map((wish) => read(wish, false)) : [];
  const meant = tables.groups.all.filter(({ matcher }) => matcher.matches(pod)).sort((a, b) => compareText(a.text, b.text));
  if (meant.length === 0 && required === undefined) return undefined;
  const keptOffBy = meant.filter(({ kind }) => kind === 'carriers');
  const gives = [...new Set([...meant.filter(({ kind }) => kind !== 'carriers'), ...(required?.carries ?? [])])];
  const bare = { apart: keptOffBy, joins: [], spreads: [] };
  const must = required === undefined ? [bare] : [bare, required];
  const ways = [...wishes.keys(), wishes.length].map((given) => checksOf([...must, ...wishes.slice(given)], gives));
  return { gives, ways };
};
