import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { labelRequirements, requirementsOf } from '../../requirements/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { Group } from '../topology/group.ts';
import { machineOptionsOf } from './machine-options.ts';
import { MixFiller } from './mix-filler.ts';
import type { FilledMix, FillerRules, MixMachine } from './mix-filler.ts';
import type { PodBatch } from './pod-batch.ts';
import type { MachineOption } from './unit-prices.ts';
import { aPodBatch, anywhere } from './testing/a-pod-batch.ts';
import { aStart } from './testing/a-start.ts';

const GIB = 2 ** 30;

const start = aStart(...[4, 8, 16].map((cpus) => ({ cpus, memoryBytes: 4 * cpus * GIB, pricePerHour: cpus / 10, zones: ['z1', 'z2'] })));
const { efficient } = machineOptionsOf(start, start.template.everyType);
const machineOf = (cpus: number, change: Partial<MachineOption> = {}): MixMachine => {
  const option = efficient.find(({ amounts }) => amounts[0] === cpus * 1000);
  if (option === undefined) throw new Error('There is no such machine');
  return { option: { ...option, ...change }, start };
};
const [four, eight, sixteen] = [machineOf(4), machineOf(8), machineOf(16)];
const batch = (count: number, cpus: number, rest: Partial<PodBatch> = {}): PodBatch => {
  const plain = aPodBatch(count, cpus * 1000, cpus * GIB);
  return { ...plain, podClass: { ...plain.podClass, id: cpus }, ...rest };
};

const rulesWith = (rest: Partial<FillerRules>): FillerRules => ({
  allowedTypes: start.template.everyType,
  isAllowed: () => true,
  effort: { tries: 1_000_000 },
  unitPrices: Float64Array.of(1, 0, 0),
  another: () => undefined,
  ...rest,
});
const fill = (batches: readonly PodBatch[], mix: readonly MixMachine[], rest: Partial<FillerRules> = {}): FilledMix | undefined =>
  new MixFiller(batches, rulesWith(rest)).fill(mix);

/** Node by node, the cpus of the machine and the pods in the order in which they came: how many of each class. */
const contentsOf = (filled: FilledMix | undefined): unknown =>
  filled
    ?.newNodes()
    .map(({ runs }, node) => [
      (filled.machines[node]?.option.amounts[0] ?? 0) / 1000,
      ...runs.map(({ podClass, count }) => [podClass.id, count]),
    ]);

describe('a mix of machines', () => {
  test('has each pod where the scarcest resource is left least scarce, those of most worth first', () => {
    expect(contentsOf(fill([batch(4, 1), batch(1, 6)], [eight, sixteen]))).toEqual([
      [8, [1, 3]],
      [16, [6, 1], [1, 1]],
    ]);
    expect(contentsOf(fill([batch(6, 2), batch(1, 6)], [eight, sixteen]))).toEqual([
      [8, [2, 3]],
      [16, [6, 1], [2, 3]],
    ]);
    const memoryFirst = { unitPrices: Float64Array.of(0, 1, 0) };
    const lean = batch(1, 3, { amounts: Float64Array.of(3000, GIB, 1) });
    expect(contentsOf(fill([lean, batch(1, 2)], [four, four], memoryFirst))).toEqual([
      [4, [2, 1]],
      [4, [3, 1]],
    ]);
    expect(contentsOf(fill([lean, batch(1, 2)], [four, four]))).toEqual([
      [4, [3, 1]],
      [4, [2, 1]],
    ]);
  });

  test('has no machines without pods, and costs what each node costs at its cheapest type', () => {
    const filled = fill([batch(2, 3)], [sixteen, eight, four]);
    expect(filled?.machines).toHaveLength(1);
    expect(filled?.pricePerHour).toBeCloseTo(0.8, 9);
    expect(filled?.fits).toHaveLength(1);
    expect(filled?.newNodes().map(({ used, podCount }) => [...used.slice(0, 2), podCount])).toEqual([[6000, 6 * GIB, 2]]);
  });

  test('has more machines for pods that find no room, as long as each takes some, up to forty', () => {
    const asked: (readonly (readonly [number, number])[])[] = [];
    const another = (left: ReadonlyMap<number, number>): MixMachine => {
      asked.push([...left]);
      return four;
    };
    expect(contentsOf(fill([batch(4, 1), batch(3, 4)], [four], { another }))).toEqual([
      [4, [4, 1]],
      [4, [4, 1]],
      [4, [4, 1]],
      [4, [1, 4]],
    ]);
    expect(asked).toEqual([
      [
        [1, 2],
        [0, 4],
      ],
      [
        [1, 1],
        [0, 4],
      ],
      [[0, 4]],
    ]);
    expect(fill([batch(1, 5)], [four], { another })).toBeUndefined();
    expect(fill([batch(2, 4)], [four])).toBeUndefined();
    expect(fill([batch(41, 4)], [four], { another })?.machines).toHaveLength(41);
    expect(fill([batch(42, 4)], [four], { another })).toBeUndefined();
  });

  test('is filled as by a fresh filler, however many machines the last one had', () => {
    const batches = [batch(150, 4), batch(2, 2)];
    const filler = new MixFiller(batches, rulesWith({ another: () => four }));
    const mixes = [
      Array.from({ length: 120 }, () => four),
      Array.from({ length: 38 }, () => sixteen),
      Array.from({ length: 151 }, () => four),
    ];
    for (const mix of mixes) expect(contentsOf(filler.fill(mix))).toEqual(contentsOf(fill(batches, mix, { another: () => four })));
  });

  test('is none where a node may not be in the state that its pods ask for', () => {
    expect(fill([batch(1, 1)], [four], { isAllowed: (state) => state !== start })).toBeUndefined();
  });

  test('costs a try for each machine and batch, and an eighth for each pod that is placed', () => {
    const effort = { tries: 100 };
    fill([batch(4, 1), batch(2, 2)], [eight, eight], { effort });
    expect(effort.tries).toBe(100 - 2 - Math.ceil((4 * 2) / 8) - 2 - Math.ceil((2 * 2) / 8));
  });
});

describe('pods of a mix', () => {
  const inZone = (zone: string): NodeTerm => ({ ...anywhere, text: zone, requirements: labelRequirements({ [labels.zone]: zone }) });
  const [z1, z2] = [inZone('z1'), inZone('z2')];

  test('that ask for other zones are on other machines, and pods that go anywhere join both', () => {
    const [first, second] = [batch(1, 5, { terms: [z1] }), batch(1, 2, { terms: [z2] })];
    expect(contentsOf(fill([first, second, batch(2, 1, { terms: [z1] })], [eight, eight]))).toEqual([
      [8, [5, 1], [1, 2]],
      [8, [2, 1]],
    ]);
    expect(contentsOf(fill([first, second, batch(2, 1)], [eight, eight]))).toEqual([
      [8, [5, 1]],
      [8, [2, 1], [1, 2]],
    ]);
    expect(fill([first, second], [sixteen])).toBeUndefined();
  });

  test('that would make a machine dearer do not join it', () => {
    const elsewhereCheaper = machineOf(8, { machinePricePerHour: 0.7 });
    expect(fill([batch(1, 1, { terms: [z1] })], [elsewhereCheaper])).toBeUndefined();
    expect(contentsOf(fill([batch(1, 1)], [elsewhereCheaper]))).toEqual([[8, [1, 1]]]);
    expect(contentsOf(fill([batch(1, 1, { terms: [z1] })], [eight]))).toEqual([[8, [1, 1]]]);
  });

  test('that avoid their own kind are one to a machine', () => {
    const group = { text: 'lone' } as Partial<Group> as Group;
    const lone = batch(2, 1, { host: { antiAffinity: [group], spreads: [], countedBy: [group] } });
    expect(contentsOf(fill([lone, batch(1, 4)], [eight, eight]))).toEqual([
      [8, [4, 1], [1, 1]],
      [8, [1, 1]],
    ]);
    expect(fill([lone], [sixteen])).toBeUndefined();
  });
});

test('pods that each leave out a zone of their own lead a mix to states that grow with their number, not with its square', () => {
  const zones = Array.from({ length: 200 }, (_, index) => `zone-${index}`);
  const statesFor = (count: number): number => {
    const initial = aStart({ cpus: 256, memoryBytes: 1024 * GIB, pricePerHour: 3, zones });
    const [option] = machineOptionsOf(initial, initial.template.everyType).efficient;
    if (option === undefined) throw new Error('There is no machine');
    const leavingOut = (zone: string): PodBatch => {
      const requirements = requirementsOf([{ key: labels.zone, operator: 'NotIn', values: [zone] }]);
      return batch(1, 1, { terms: [{ ...anywhere, text: zone, requirements }] });
    };
    const rules = rulesWith({ allowedTypes: initial.template.everyType });
    expect(new MixFiller(zones.slice(0, count).map(leavingOut), rules).fill([{ option, start: initial }])).toBeDefined();
    return initial.template.states.size;
  };
  const [few, many] = [statesFor(30), statesFor(90)];
  expect(few).toBeGreaterThan(30);
  expect(many).toBeLessThan(few * 4);
});
