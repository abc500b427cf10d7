import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Pod } from '@karpenter/core';
import { compareWithOriginal } from '../compare-original/comparison.ts';
import { plainQuestion } from '../compare-original/plain-question.ts';
import type { PlainQuestion } from '../compare-original/plain-question.ts';
import { plainQuestionsIn, questionsIn, recordedQuestions, writeQuestions } from '../compare-original/question-file.ts';
import { crossQuestions } from './cross-question.ts';
import { wildQuestion } from './new-question.ts';
import type { NewQuestion, QuestionMaker } from './new-question.ts';

const recorded = (name: string) => plainQuestionsIn({ folder: recordedQuestions, name });
const parted = { withNodes: recorded('random-clusters'), withoutNodes: recorded('random-pods') };
const crossQuestion = crossQuestions(parted);

const drawn = (make: QuestionMaker, seed: number, count: number): readonly NewQuestion[] =>
  Array.from({ length: count }, (_, index) => make(seed, index));

const unanswered = (question: NewQuestion): PlainQuestion => ({ ...question, answer: { nodes: [], existing: {} } });

describe.each([
  ['wild', wildQuestion],
  ['cross', crossQuestion],
] as const)('%s questions', (kind, make) => {
  const questions = drawn(make, 7, 200);

  test('are the same for the same seed, and others for another', () => {
    expect(drawn(make, 7, 20)).toEqual(questions.slice(0, 20));
    expect(drawn(make, 8, 20).map(({ pods }) => pods)).not.toEqual(questions.slice(0, 20).map(({ pods }) => pods));
  });

  test('do not depend on how many are made', () => expect(make(7, 150)).toEqual(questions[150]));

  test('have ids with their seed', () => expect(questions[3]?.id).toBe(`${kind}-7-0003`));

  test('differ from each other', () =>
    expect(new Set(questions.map(({ id: _, ...rest }) => JSON.stringify(rest))).size).toBe(questions.length));

  test('name each pod, NodePool and node once', () => {
    const repeated = questions.filter(({ pods, bound, nodePools, nodes }) =>
      [[...pods, ...(bound ?? [])], nodePools, nodes ?? []].some((objects) => {
        const names = objects.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`);
        return new Set(names).size < names.length;
      }),
    );
    expect(repeated.map(({ id }) => id)).toEqual([]);
  });

  test('lose none of their pods on the way to a plan', () => {
    for (const question of questions.slice(0, 60)) {
      const { snapshot } = plainQuestion(unanswered(question));
      expect([question.id, snapshot.pendingPods.length]).toEqual([question.id, question.pods.length]);
      expect(snapshot.nodes.flatMap(({ pods }) => pods).length).toBe(question.bound?.length);
    }
  });

  test('have plans that break no rule', () => {
    const small = questions.filter(({ pods }) => pods.length <= 5).slice(0, 8);
    const comparisons = small.map((question) => compareWithOriginal(plainQuestion(unanswered(question))));
    expect(comparisons.length).toBe(8);
    expect(comparisons.flatMap(({ id, ours }) => ours.violations.map(({ rule }) => [id, rule]))).toEqual([]);
  });
});

test.each([
  ['one order of three kinds leaves room for all of each', 1, 695],
  ['some pods of one kind come before those of another, and the others after them', 2, 64],
  ['the first pod of a kind that shares hosts is on a host without pods of other kinds', 2, 196],
  ['a pod may count for the domain whose count it is compared with, or not', 2, 450],
] as const)('when %s › the validator finds an order of binding (wild-%i-%i)', (_, seed, index) => {
  const { ours } = compareWithOriginal(plainQuestion(unanswered(wildQuestion(seed, index))));
  expect(ours.violations).toEqual([]);
});

test('when pods find places only first of all, and in one zone › they go there, with preferences as without them (wild-2-0826)', () => {
  const question = unanswered(wildQuestion(2, 826));
  const placed = (['Respect', 'Ignore'] as const).map((preferences) => {
    const { ours } = compareWithOriginal(plainQuestion({ ...question, preferences }));
    return [ours.placedPods, ours.violations.length];
  });
  expect(placed).toEqual([
    [34, 0],
    [34, 0],
  ]);
});

type Spec = Pod['spec'];

const specsOf = ({ pods }: Pick<NewQuestion, 'pods'>): readonly Spec[] => pods.map(({ spec }) => spec);
const anyPod =
  (says: (spec: Spec) => boolean) =>
  (question: NewQuestion): boolean =>
    specsOf(question).some(says);
const termsOf = ({ affinity: { podAffinity, podAntiAffinity } = {} }: Spec) =>
  [podAffinity, podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
const anyTerm = (says: (term: ReturnType<typeof termsOf>[number]) => boolean) => anyPod((spec) => termsOf(spec).some(says));
const anySpread = (says: (spread: NonNullable<Spec['topologySpreadConstraints']>[number]) => boolean) =>
  anyPod(({ topologySpreadConstraints = [] }) => topologySpreadConstraints.some(says));
const nodeTermsOf = ({ affinity: { nodeAffinity } = {} }: Spec) =>
  nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
const requires = (operator: string) =>
  anyPod((spec) => nodeTermsOf(spec).some(({ matchExpressions = [] }) => matchExpressions.some((each) => each.operator === operator)));
const anyPool =
  (says: (spec: NewQuestion['nodePools'][number]['spec']) => boolean) =>
  ({ nodePools }: NewQuestion): boolean =>
    nodePools.some(({ spec }) => says(spec));
const anyContainer = (says: (container: Spec['containers'][number]) => boolean) => anyPod(({ containers }) => containers.some(says));

const parts: Readonly<Record<string, (question: NewQuestion) => boolean>> = {
  'several NodePools': ({ nodePools }) => nodePools.length > 1,
  'a NodePool with a weight': anyPool(({ weight }) => weight !== undefined),
  'a limit on cores': anyPool(({ limits }) => limits?.['cpu'] !== undefined),
  'a limit on nodes': anyPool(({ limits }) => limits?.['nodes'] !== undefined),
  'a taint': anyPool(({ template }) => (template.spec.taints ?? []).some(({ effect }) => effect === 'NoSchedule')),
  'a soft taint': anyPool(({ template }) => (template.spec.taints ?? []).some(({ effect }) => effect === 'PreferNoSchedule')),
  'a startup taint': anyPool(({ template }) => template.spec.startupTaints !== undefined),
  minValues: anyPool(({ template }) => template.spec.requirements.some(({ minValues }) => minValues !== undefined)),
  'a pool with Gt': anyPool(({ template }) => template.spec.requirements.some(({ operator }) => operator === 'Gt')),
  'one instance type': ({ types }) => types.length === 1,
  'thirty instance types': ({ types }) => types.length === 30,
  'a type that is not everywhere': ({ types }) => new Set(types.map(({ Offerings }) => Offerings.length)).size > 1,
  'a type with devices': ({ types }) => types.some(({ Resources }) => Resources !== undefined),
  'a pod with devices': anyContainer(({ resources }) => resources?.limits !== undefined),
  'several namespaces': ({ pods }) => new Set(pods.map(({ metadata }) => metadata.namespace)).size > 1,
  'a selector of namespaces': anyTerm(({ namespaceSelector }) => namespaceSelector !== undefined),
  'a list of namespaces': anyTerm(({ namespaces }) => namespaces !== undefined),
  'an empty selector': anyTerm(({ labelSelector }) => Object.keys(labelSelector ?? { none: 1 }).length === 0),
  'matchLabelKeys of a term': anyTerm(({ matchLabelKeys }) => matchLabelKeys !== undefined),
  'matchLabelKeys of a spread': anySpread(({ matchLabelKeys }) => matchLabelKeys !== undefined),
  'required affinity': anyPod(({ affinity }) => affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined),
  'preferred affinity': anyPod(({ affinity }) => affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution !== undefined),
  'required anti-affinity': anyPod(
    ({ affinity }) => affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined,
  ),
  'preferred anti-affinity': anyPod(
    ({ affinity }) => affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution !== undefined,
  ),
  'ORed node terms': anyPod((spec) => nodeTermsOf(spec).length > 1),
  'a preferred node': anyPod(({ affinity }) => affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution !== undefined),
  ...Object.fromEntries(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'].map((operator) => [operator, requires(operator)])),
  'a node selector': anyPod(({ nodeSelector }) => nodeSelector !== undefined),
  'a toleration': anyPod(({ tolerations }) => tolerations !== undefined),
  'a hard spread': anySpread(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule'),
  'a soft spread': anySpread(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway'),
  minDomains: anySpread(({ minDomains }) => minDomains !== undefined),
  nodeTaintsPolicy: anySpread(({ nodeTaintsPolicy }) => nodeTaintsPolicy !== undefined),
  nodeAffinityPolicy: anySpread(({ nodeAffinityPolicy }) => nodeAffinityPolicy !== undefined),
  'two spreads': anyPod(({ topologySpreadConstraints = [] }) => topologySpreadConstraints.length > 1),
  'an init container': anyPod(({ initContainers = [] }) => initContainers.some(({ restartPolicy }) => restartPolicy === undefined)),
  'a sidecar': anyPod(({ initContainers = [] }) => initContainers.some(({ restartPolicy }) => restartPolicy === 'Always')),
  overhead: anyPod(({ overhead }) => overhead !== undefined),
  'a host port with an address': anyContainer(({ ports = [] }) => ports.some(({ hostIP }) => hostIP !== undefined)),
  'a host port of every address': anyContainer(({ ports = [] }) => ports.some(({ hostIP }) => hostIP === undefined)),
  'a bound volume': ({ persistentVolumes = [] }) => persistentVolumes.length > 0,
  'a volume to come': ({ persistentVolumeClaims = [] }) => persistentVolumeClaims.some(({ status }) => status?.phase === 'Pending'),
  'no nodes': ({ nodes }) => nodes?.length === 0,
  'a node with taints': ({ nodes }) => (nodes ?? []).some(({ spec }) => (spec?.taints ?? []).length > 0),
  'a running pod with anti-affinity': ({ bound }) => (bound ?? []).some(({ spec }) => spec.affinity !== undefined),
  'a DaemonSet for some nodes': ({ daemonSets }) => (daemonSets ?? []).some(({ spec }) => spec.template.spec.nodeSelector !== undefined),
  'ignored preferences': ({ preferences }) => preferences === 'Ignore',
};

const wild = drawn(wildQuestion, 7, 200);

test.each(Object.entries(parts))('wild questions: some have %s, and some have not', (_, isThere) => {
  const count = wild.filter(isThere).length;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(wild.length);
});

test('cross questions have the pods of recorded ones, nodes in some, and a further NodePool in some', () => {
  const cross = drawn(crossQuestion, 7, 100);
  const known = new Set([...parted.withNodes, ...parted.withoutNodes].flatMap(specsOf));
  expect(cross.flatMap(specsOf).every((spec) => known.has(spec))).toBe(true);
  for (const isThere of [
    ({ nodes }: NewQuestion) => nodes?.length !== 0,
    ({ nodePools }: NewQuestion) => nodePools.some(({ metadata }) => metadata.name === 'further'),
  ]) {
    const count = cross.filter(isThere).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(cross.length);
  }
});

test('questions that are written are read again, one by its id', () => {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'));
  try {
    const answered = drawn(wildQuestion, 7, 3).map(unanswered);
    writeQuestions({ folder, name: 'wild' }, answered);
    expect(plainQuestionsIn({ folder, name: 'wild' })).toEqual(answered);
    expect([...questionsIn({ folder, name: 'wild', ids: new Set(['wild-7-0001']) })].map(({ id }) => id)).toEqual(['wild-7-0001']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
