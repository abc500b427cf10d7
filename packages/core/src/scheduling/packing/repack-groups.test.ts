import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { Fit, NodeState, NodeTemplate } from '../nodes/node-model.ts';
import { nextState } from '../nodes/node-state.ts';
import { aState } from '../testing/a-template.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Checks, Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import { repackGroupsOf } from './repack-group.ts';
import { anywhere } from './testing/a-pod-batch.ts';

const start = aState([{ cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 0.4, zones: ['z1', 'z2'] }]);
const { template } = start;
const stateInZone = (zone: string): NodeState => {
  const term: NodeTerm = { ...anywhere, text: zone, requirements: labelRequirements({ [labels.zone]: zone }) };
  const state = nextState(start, term);
  if (state === undefined) throw new Error('The zone is not sold');
  return state;
};
const [z1, z2] = [stateInZone('z1'), stateInZone('z2')];
const zoneOf = ({ requirements }: NodeState): string => [...(requirements.get(labels.zone)?.values.values ?? [])].join('+');
const topology = { signatureOf: zoneOf, domains: { keys: [labels.zone] } } as unknown as Topology;

const none = { antiAffinity: [], spreads: [], affinity: [] };
const checks: Checks = { keys: [], host: none, wide: none };
const joins: Checks = {
  ...checks,
  host: { ...none, affinity: [{ group: {} as Group, mayBeFirst: false }] as unknown as Checks['host']['affinity'] },
};
const partialClass = (rest: Partial<PodClass>): PodClass => rest as PodClass;
const free = partialClass({});
const spread = partialClass({ topology: {} as Partial<ClassTopology> as ClassTopology });
const withDevices = partialClass({ devices: {} as Exclude<PodClass['devices'], undefined> });
const newNodeOf = (state: NodeState, ...runs: readonly (readonly [PodClass, Checks?])[]): NewNode =>
  ({
    fit: { state } as Partial<Fit> as Fit,
    runs: runs.map(([podClass, own]) => ({ podClass, term: anywhere, count: 1, ...(own && { checks: own }) })),
  }) as Partial<NewNode> as NewNode;

describe('nodes are packed again', () => {
  test('together where no pod of theirs has constraints, else with those in their domains', () => {
    const open = [newNodeOf(start, [free]), newNodeOf(z1, [free], [free])];
    const [one, other, also] = [
      newNodeOf(z1, [spread, checks]),
      newNodeOf(z2, [free], [spread, checks]),
      newNodeOf(z1, [spread, checks], [free]),
    ];
    const groups = repackGroupsOf([...open, one, other, also], template, topology);
    expect(groups.map(({ newNodes, signature }) => [newNodes, signature])).toEqual([
      [open, ''],
      [[one, also], 'z1'],
      [[other], 'z2'],
    ]);
    expect(groups.map((group) => zoneOf(group.start))).toEqual([zoneOf(start), 'z1', 'z2']);
    expect(groups.map(({ isAllowed }) => [z1, z2].map(isAllowed))).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
  });

  test('from a state in any of the zones that they may still be in', () => {
    const [group] = repackGroupsOf([newNodeOf(start, [spread, checks])], template, topology);
    expect(group?.start).toBe(start);
  });

  test.each<[string, readonly NewNode[], NodeTemplate]>([
    ['with pods that have devices', [newNodeOf(start, [free], [withDevices])], template],
    ['with pods that joined others', [newNodeOf(start, [free], [spread, joins])], template],
    ['of another template', [newNodeOf(aState([{ cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 0.4 }]), [free])], template],
    ['that keep a variety if they can', [newNodeOf(start, [free])], { ...template, prefersMinValues: true }],
    ['of a template without machines', [newNodeOf(start, [free])], { ...template, initial: undefined }],
  ])('not %s', (_, newNodes, own) => {
    const asOwn = own === template ? newNodes : newNodes.map(() => newNodeOf({ ...start, template: own }, [free]));
    expect(repackGroupsOf(asOwn, own, topology)).toEqual([]);
  });

  test('only free ones where nothing is known of topology', () => {
    const open = newNodeOf(start, [free]);
    expect(repackGroupsOf([open, newNodeOf(z1, [spread, checks])], template, undefined).map(({ newNodes }) => newNodes)).toEqual([[open]]);
  });
});
