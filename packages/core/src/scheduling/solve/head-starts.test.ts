import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';
import { aPodSet, namesOf, termIn, zonesOfTerms } from '../testing/a-class.ts';
import { HOST } from '../topology/domain-table.ts';
import type { Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import { headStartsFor, leadersEverywhere, startingWith } from './head-starts.ts';

const groupOver = (key: number): Group => ({ key }) as Partial<Group> as Group;
const zoneKey = 0;

interface ClassOptions {
  readonly terms?: readonly NodeTerm[];
  /** The groups that count pods of the class. */
  readonly countedBy?: readonly Group[];
  /** The groups whose pods it must be near to, all of one set of terms. */
  readonly joined?: readonly Group[];
  readonly spreads?: readonly Group[];
}

const constrainedClass = ({ terms = [termIn()], countedBy = [], joined = [], spreads = [] }: ClassOptions): PodClass => {
  const joinedAt = (isHost: boolean): object[] => {
    const groups = joined.filter(({ key }) => (key === HOST) === isHost);
    return groups.length === 0 ? [] : [{ groups, allGroups: joined }];
  };
  const required = {
    host: { affinity: joinedAt(true), spreads: [] },
    wide: { affinity: joinedAt(false), spreads: spreads.map((group) => ({ group })) },
  };
  return { terms, topology: { countedBy, required } } as unknown as PodClass;
};

const topologyOf = (...zones: readonly string[]): Topology =>
  ({ domains: { labelOfKey: () => labels.zone }, valuesOf: () => zones }) as unknown as Topology;

/** The pods of each pod set, and the zones that they are led to. */
const shownStarts = (headStarts: Iterable<readonly PodSet[]>): readonly (readonly string[])[] =>
  [...headStarts].map((podSets) =>
    podSets.map((podSet, index) => [namesOf(podSets)[index], ...zonesOfTerms(podSet).map((zones) => `in ${zones}`)].join(' ')),
  );

describe('head starts for pods without a place', () => {
  const group = groupOver(zoneKey);
  const other = aPodSet(constrainedClass({}), 'other');
  const headStartsOf = (stuck: PodSet, leaders: readonly PodSet[]) => shownStarts(headStartsFor(stuck, leaders, topologyOf('z1', 'z2')));
  const inEachZone = [
    ['x in z1', 'a b'],
    ['x in z2', 'a b'],
  ];

  test.each<[string, ClassOptions]>([
    ['spread over zones', { spreads: [group] }],
    ['must join others in their zone', { joined: [group] }],
  ])('when they %s › one pod that is counted goes first, in each zone in turn', (_, options) => {
    const stuck = aPodSet(constrainedClass(options), 'a', 'b');
    expect(headStartsOf(stuck, [other, aPodSet(constrainedClass({ countedBy: [group] }), 'x', 'y'), stuck])).toEqual(inEachZone);
  });

  test('when they count themselves › the first of them goes first', () => {
    const stuck = aPodSet(constrainedClass({ spreads: [group], countedBy: [group] }), 'a', 'b', 'c');
    expect(headStartsOf(stuck, [stuck])).toEqual([
      ['a in z1', 'b c'],
      ['a in z2', 'b c'],
    ]);
  });

  test('when they must share a host with others › one of the others goes first where they may go as well', () => {
    const onHost = groupOver(HOST);
    const stuck = aPodSet(constrainedClass({ terms: [termIn('z1', 'z2'), termIn('z3')], joined: [onHost] }), 'a');
    const leaders = [termIn('z2', 'z4'), termIn('z5')].map((term, index) =>
      aPodSet(constrainedClass({ terms: [term], countedBy: [onHost] }), `x${index}`),
    );
    expect(headStartsOf(stuck, leaders)).toEqual([['x0 in z2', 'a']]);
  });

  test('when they must be near to pods of two groups › only a pod that both count goes first', () => {
    const onHost = groupOver(HOST);
    const stuck = aPodSet(constrainedClass({ joined: [group, onHost] }), 'a');
    const countedBy = (...groups: readonly Group[]) => aPodSet(constrainedClass({ countedBy: groups }), 'x');
    expect(headStartsOf(stuck, [countedBy(group), countedBy(onHost)])).toEqual([]);
    expect(headStartsOf(stuck, [countedBy(group, onHost)])).toEqual([
      ['x in z1', 'a'],
      ['x in z2', 'a'],
      ['x in any', 'a'],
    ]);
  });

  test('when a pod leads already › it leads no others', () => {
    const stuck = aPodSet(constrainedClass({ spreads: [group] }), 'a');
    const leading = { ...aPodSet(constrainedClass({ countedBy: [group] }), 'x'), terms: [termIn('z1')] };
    expect(headStartsOf(stuck, [leading])).toEqual([]);
    expect(
      shownStarts(leadersEverywhere(stuck, [{ ...leading, pods: [...leading.pods, ...leading.pods] }], topologyOf('z1', 'z2'))),
    ).toEqual([]);
  });

  test('when they depend on no others › there are none', () => {
    const free = aPodSet({ terms: [termIn()] } as Partial<PodClass> as PodClass, 'a');
    expect(headStartsOf(free, [free, aPodSet(constrainedClass({ countedBy: [group] }), 'x')])).toEqual([]);
  });
});

describe('pods that lead the way in all zones at once', () => {
  const group = groupOver(zoneKey);
  const stuck = aPodSet(constrainedClass({ spreads: [group] }), 'a');
  const leadersIn = (zones: readonly string[], ...podSets: readonly PodSet[]) =>
    shownStarts(leadersEverywhere(stuck, podSets, topologyOf(...zones)));
  const leaders = aPodSet(constrainedClass({ countedBy: [group] }), 'x', 'y');

  test('when pods spread over zones › one pod that is counted goes to each zone', () => {
    expect(leadersIn(['z1', 'z2'], aPodSet(constrainedClass({}), 'other', 'others'), leaders)).toEqual([['x in z1', 'y in z2']]);
  });

  test('when there are fewer pods than zones › they go to the first zones', () =>
    expect(leadersIn(['z1', 'z2', 'z3'], leaders)).toEqual([['x in z1', 'y in z2']]));

  test('when they may not go to each zone › the others have one each', () => {
    const able = aPodSet(constrainedClass({ terms: [termIn('z1', 'z3')], countedBy: [group] }), 'x', 'y', 'z');
    expect(leadersIn(['z1', 'z2', 'z3'], able)).toEqual([['x in z1', 'z in z3']]);
  });

  test('when only one zone gets a pod › none lead: a single pod does that', () => {
    expect(leadersIn(['z1', 'z2'], aPodSet(constrainedClass({ countedBy: [group] }), 'x'))).toEqual([]);
    expect(leadersIn(['z1', 'z2'], aPodSet(constrainedClass({ terms: [termIn('z2')], countedBy: [group] }), 'x', 'y'))).toEqual([]);
  });

  test('when pods must share a host › none lead: it is one host', () => {
    const onHost = groupOver(HOST);
    const tied = aPodSet(constrainedClass({ terms: [termIn('z1'), termIn('z2')], joined: [onHost] }), 'a');
    const counted = aPodSet(constrainedClass({ countedBy: [onHost] }), 'x', 'y');
    expect(shownStarts(leadersEverywhere(tied, [counted], topologyOf('z1', 'z2')))).toEqual([]);
  });
});

test('when pods have a head start › they come first, and the others in their order without them', () => {
  const [web, job, whole] = [
    aPodSet(constrainedClass({}), 'a', 'b', 'c'),
    aPodSet(constrainedClass({}), 'x'),
    aPodSet(constrainedClass({}), 'y'),
  ];
  const headStart = [{ ...web, pods: web.pods.slice(0, 2) }, whole];
  expect(namesOf(startingWith(headStart, [whole, job, web]))).toEqual(['a b', 'y', 'x', 'c']);
});
