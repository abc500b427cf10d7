import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../apis/index.ts';
import type { NodeAffinity, NodeSelectorTerm, PodSpec } from '../kube/index.ts';
import { podRequirements } from './pod-requirements.ts';
import { requirementsOf } from './requirements.ts';

const inTerm = (key: string, ...values: string[]): NodeSelectorTerm => ({ matchExpressions: [{ key, operator: 'In', values }] });
const specWithAffinity = (nodeAffinity: NodeAffinity, nodeSelector: Record<string, string> = {}): PodSpec => ({
  containers: [],
  nodeSelector,
  affinity: { nodeAffinity },
});
const required = (...nodeSelectorTerms: NodeSelectorTerm[]): NodeAffinity => ({
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
});
const readSpec = (spec: PodSpec) => podRequirements(spec, defaultLabelCatalog);

describe('what a pod asks of its node', () => {
  test('nothing, in one way', () => expect(readSpec({ containers: [] })).toEqual({ alternatives: [new Map()], byName: [], preferred: [] }));

  test('its selector and one of its required terms', () =>
    expect(readSpec(specWithAffinity(required(inTerm('zone', '1'), inTerm('team', 'b')), { team: 'a' }))).toMatchObject({
      alternatives: [
        requirementsOf([
          { key: 'team', operator: 'In', values: ['a'] },
          { key: 'zone', operator: 'In', values: ['1'] },
        ]),
        new Map([['team', { key: 'team', mayBeAbsent: false, values: { kind: 'in', values: new Set() } }]]),
      ],
    }));

  test('a term without content matches no node', () =>
    expect(readSpec(specWithAffinity(required({})))).toEqual({ alternatives: [], byName: [], preferred: [] }));

  test('preferences come heaviest first, without the selector', () => {
    const preferred = [
      { weight: 1, preference: inTerm('a', '1') },
      { weight: 50, preference: inTerm('b', '1') },
      { weight: 50, preference: inTerm('c', '1') },
      { weight: 99, preference: {} },
    ];
    const answer = readSpec(specWithAffinity({ preferredDuringSchedulingIgnoredDuringExecution: preferred }, { team: 'x' }));
    expect('preferred' in answer && answer.preferred.map(({ weight, requirements }) => [weight, ...requirements.keys()])).toEqual([
      [50, 'b'],
      [50, 'c'],
      [1, 'a'],
    ]);
  });

  test('match fields are refused by name', () =>
    expect(readSpec(specWithAffinity(required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] })))).toEqual({
      field: 'spec.affinity.nodeAffinity.required.matchFields',
      value: 'metadata.name',
      problem: 'matchFields names a node that exists; use matchExpressions',
    }));

  test('match fields cost neither the other required terms nor the preferences their say', () => {
    const ofNode: NodeSelectorTerm = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
    const preferred = [ofNode, inTerm('a', '1')].map((preference) => ({ weight: 1, preference }));
    const answer = readSpec(
      specWithAffinity({ ...required(ofNode, inTerm('zone', '1')), preferredDuringSchedulingIgnoredDuringExecution: preferred }),
    );
    expect(answer).toMatchObject({
      alternatives: [requirementsOf([{ key: 'zone', operator: 'In', values: ['1'] }])],
      byName: [{ matchFields: ofNode.matchFields, requirements: new Map() }],
      preferred: [{ requirements: requirementsOf([{ key: 'a', operator: 'In', values: ['1'] }]) }],
    });
  });

  test('a bound that is no number is refused', () =>
    expect(readSpec(specWithAffinity(required({ matchExpressions: [{ key: 'cpu', operator: 'Gt', values: ['x'] }] })))).toMatchObject({
      problem: 'Gt takes exactly one integer',
    }));
});
