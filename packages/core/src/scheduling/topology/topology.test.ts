import { describe, expect, test } from '@jest/globals';
import type { RequirementSpec } from '../../apis/index.ts';
import { defaultLabelCatalog, labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Labels, Pod, PodSpec } from '../../kube/index.ts';
import { merge, requirementsOf } from '../../requirements/index.ts';
import { shapeReader } from '../pod-classes/pod-shape.ts';
import { internState } from '../nodes/node-state.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import { aTemplate } from '../testing/a-template.ts';
import { aPod, isIn } from '../../testing/objects.ts';
import { readingTopology } from './topology-reader.ts';
import type { Topology } from './topology.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';
const webPod = (spec: Partial<PodSpec>): Pod => aPod('web', { metadata: { labels: { app: 'web' } }, spec });
const selector = { labelSelector: { matchLabels: { app: 'web' } } };
const spreading = (topologyKey: string, rest: Partial<PodSpec> = {}): Pod =>
  webPod({ topologySpreadConstraints: [{ topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...selector }], ...rest });
const avoiding = (topologyKey: string): Pod =>
  webPod({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, ...selector }] } } });
const labelledView = (name: string, own: Labels): NodeView => aBareNode({ name, labels: own });

const teams = [isIn('team', 'red', 'blue'), { key: labels.arch, operator: 'Exists' as const }];
const templateOf = (): NodeTemplate =>
  aTemplate([{ cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 1, zones: ['z2', 'z1'], labels: { [labels.arch]: 'amd64' } }], {
    requirements: teams,
  });

const topologyOf = (pendingPods: readonly Pod[], template: NodeTemplate, nodes: readonly NodeView[] = []): Topology => {
  const snapshot = { pendingPods, nodes, namespaceLabels: new Map() } as Partial<ClusterSnapshot> as ClusterSnapshot;
  const templates = [template];
  const source = { snapshot, nodes, templates, policy: defaultSchedulingPolicy, shapeOf: shapeReader(defaultLabelCatalog) };
  const topology = finish(
    readingTopology({ ...source, asScheduled: (pod) => pod, unboundClaimsOf: () => [], moving: new Set(), mobilityOf: () => 'may-move' }),
  );
  if (topology === undefined) throw new Error('no pod has topology constraints');
  return topology;
};

describe('pods may change places between planned nodes', () => {
  const settled = (template: NodeTemplate, ...specs: readonly RequirementSpec[]): NodeState => {
    const state = internState(template, merge(template.requirements, requirementsOf(specs)));
    if (state === undefined) throw new Error('there is no such machine');
    return state;
  };
  /** Whether nodes of these two states stand alike to the pods. */
  const alike = (pending: readonly Pod[], [a, b]: readonly [readonly RequirementSpec[], readonly RequirementSpec[]]): boolean => {
    const template = templateOf();
    const topology = topologyOf(pending, template);
    const [first, second] = [settled(template, ...a), settled(template, ...b)].map((state) => topology.signatureOf(state));
    return first === second;
  };
  const [inZ1, inZ2, red, blue] = [isIn(labels.zone, 'z1'), isIn(labels.zone, 'z2'), isIn('team', 'red'), isIn('team', 'blue')];
  const ofRed = { nodeSelector: { team: 'red' } };

  test.each<[string, boolean, Parameters<typeof alike>]>([
    [
      'of one domain',
      true,
      [
        [avoiding(labels.zone)],
        [
          [inZ1, red],
          [inZ1, blue],
        ],
      ],
    ],
    ['not of two', false, [[avoiding(labels.zone)], [[inZ1], [inZ2]]]],
    ['not where the domain is open of one of them', false, [[avoiding(labels.zone)], [[inZ1], []]]],
    ['of two zones where the constraints are only about hosts', true, [[avoiding(labels.hostname)], [[inZ1], [inZ2]]]],
    [
      'of one domain where a spread counts them all',
      true,
      [
        [spreading(labels.zone)],
        [
          [inZ1, red],
          [inZ1, blue],
        ],
      ],
    ],
    [
      'not where a spread counts only one of them',
      false,
      [
        [spreading(labels.zone, ofRed)],
        [
          [inZ1, red],
          [inZ1, blue],
        ],
      ],
    ],
    ['not where a spread may yet count one of them', false, [[spreading(labels.zone, ofRed)], [[inZ1, red], [inZ1]]]],
  ])('%s', (_, expected, asked) => expect(alike(...asked)).toBe(expected));
});

test('the domains of a key are those of nodes and those in which something can be bought, in order', () => {
  const nodes = [
    labelledView('b', { [labels.zone]: 'z9', rack: 'r2' }),
    labelledView('a', { [labels.zone]: 'z1', rack: 'r1' }),
    labelledView('c', {}),
  ];
  const topology = topologyOf([avoiding(labels.zone), avoiding('rack'), avoiding('team')], templateOf(), nodes);
  const domains = topology.domains.keys.map((key, number) => [key, topology.valuesOf(number)]);
  expect(Object.fromEntries(domains)).toEqual({ [labels.zone]: ['z1', 'z2', 'z9'], rack: ['r1', 'r2'], team: ['blue', 'red'] });
});

test('nothing is counted where no pod has topology constraints', () => {
  expect(() => topologyOf([webPod({})], templateOf())).toThrow('no pod has topology constraints');
});
