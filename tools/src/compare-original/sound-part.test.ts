import { expect, test } from '@jest/globals';
import { answeredPlan } from './answered-plan.ts';
import { questionsIn, recordedQuestions } from './question-file.ts';
import { placedPodsOf, soundPart } from './sound-part.ts';

const questions = [...questionsIn({ folder: recordedQuestions, name: 'random-pods', ids: new Set(['fuzz-0613']) })];

test.each(questions)('$id: a pod that is on two nodes is taken out of both, others stay', (question) => {
  const plan = answeredPlan(question);
  const [first, second] = plan.plannedNodes;
  const [pod] = first?.pods ?? [];
  if (pod === undefined) throw new Error('The original planned no node');
  const plannedNodes = plan.plannedNodes.map((node) => (node === second ? { ...node, pods: [...node.pods, pod] } : node));
  const part = soundPart(question, { ...plan, plannedNodes });
  const placed = part === undefined ? [] : placedPodsOf(part);
  expect(placed).not.toContain(pod);
  expect(placed.length).toBeGreaterThan(0);
});

test.each(questions)('$id: nothing is sound where the price does not add up', (question) => {
  const plan = answeredPlan(question);
  expect(soundPart(question, { ...plan, pricePerHour: plan.pricePerHour + 1 })).toBeUndefined();
});

test.each(questions)('$id: a node for no pod is taken out', (question) => {
  const plan = answeredPlan(question);
  const [first] = plan.plannedNodes;
  if (first === undefined) throw new Error('The original planned no node');
  const plannedNodes = [...plan.plannedNodes, { ...first, pods: [] }];
  const pricePerHour = plan.pricePerHour + first.cheapest.offering.pricePerHour;
  const part = soundPart(question, { ...plan, plannedNodes, pricePerHour });
  expect(part?.plannedNodes.length).toBe(plan.plannedNodes.length);
});
