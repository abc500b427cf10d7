/**
 * `pnpm bench:realistic`: what plans for deployments as Helm charts make them cost, beside the fluid bound and the
 * original's recorded answer; each question in a process of its own. `--case=<id>` asks one of them, `--json` prints
 * JSON.
 */
import { simulate } from '@karpenter/core';
import { rehearsedPods } from '@karpenter/core/internal';
import type { Plan, Pod } from '@karpenter/core';
import { answeredPlan } from '../compare-original/answered-plan.ts';
import { questionsIn, recordedQuestions } from '../compare-original/question-file.ts';
import type { OriginalQuestion } from '../compare-original/question.ts';
import { caseWanted, measureApart } from './fresh-process.ts';
import { boundOf, groupApart, sizesOfGroups } from './realistic/bound-of.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { checkComplete } from './solver/check-plan.ts';
import { threadMs } from './solver/timed-plan.ts';

const COUNTS = [100, 500, 2000];
/** Ends the name of a case that measures only the first plan of a process that has rehearsed, as a started controller has. */
const REHEARSED = '-rehearsed';
const ids = ['bare', 'charts'].flatMap((kind) =>
  ['any', 'ondemand'].flatMap((from) => COUNTS.map((count) => `real-${kind}-${from}-${count}`)),
);
const cases = [...ids, ...ids.filter((id) => id.endsWith('-2000')).map((id) => `${id}${REHEARSED}`)];

/** Times the original's nodes that a plan may have. */
const MOST_NODES = 1.3;
/** What each node beyond that must save, in dollars an hour: twice what a node costs beside its price. */
const LEAST_EARNED = 2 * 0.005;
/** Prices of a node at which plans of fewer nodes are searched for. */
const NODE_PRICES = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/**
 * The most that a plan may be over the bound, in percent. Spot prices differ by zone, so that pods spread over zones
 * cannot all have the cheapest.
 */
const barOf = (id: string): { readonly atMost?: number } => {
  if (id.endsWith('-100')) return { atMost: 25 };
  if (id.includes('bare')) return { atMost: 8 };
  return id.includes('ondemand') ? { atMost: 10 } : {};
};

/** How many pods share a node with one that they would rather avoid. */
const podsTogether = ({ plannedNodes }: Plan): number => {
  const surplus = (pods: readonly Pod[]): number =>
    [...sizesOfGroups(pods.filter(groupApart)).values()].reduce((sum, size) => sum + size - 1, 0);
  return plannedNodes.reduce((sum, { pods }) => sum + surplus(pods), 0);
};

/** The plan for objects that were never seen before, and the processor time of the thread that it took. */
const timed = ({ snapshot, policy }: OriginalQuestion): { readonly plan: Plan; readonly ms: number } => {
  const fresh = { ...snapshot, pendingPods: structuredClone(snapshot.pendingPods) };
  const beforeMs = threadMs();
  const plan = simulate(fresh, policy);
  return { plan, ms: threadMs() - beforeMs };
};

/** The most that the first plan for 2,000 pods may take. */
const FIRST_MS = 300;
const WARM_RUNS = 9;

const timesOf = (question: OriginalQuestion, firstMs: number): readonly Figure[] => {
  const { id, snapshot } = question;
  const runs = Array.from({ length: WARM_RUNS }, () => timed(question).ms).sort((a, b) => a - b);
  const isLarge = snapshot.pendingPods.length === 2000;
  return [
    { case: `${id}: processor time, first plan of the process`, figure: firstMs, unit: 'ms', ...(isLarge ? { atMost: FIRST_MS } : {}) },
    { case: `${id}: processor time, warm`, figure: runs[WARM_RUNS >> 1] ?? 0, unit: 'ms', ...(isLarge ? { atMost: 150 } : {}) },
  ];
};

/** The cheapest of our plans that has at most so many nodes; undefined when none was found. */
const planWithin = ({ snapshot, policy }: OriginalQuestion, most: number): Plan | undefined =>
  NODE_PRICES.map((nodePricePerHour) => simulate(snapshot, { ...policy, nodePricePerHour }))
    .filter(({ plannedNodes, rejections }) => plannedNodes.length <= most && rejections.length === 0)
    .toSorted((a, b) => a.pricePerHour - b.pricePerHour)[0];

/** How many nodes a plan has; beyond the bar also what each further node saves against our cheapest plan within it. */
const nodeFigures = (question: OriginalQuestion, plan: Plan, originalNodes: number): readonly Figure[] => {
  const most = MOST_NODES * originalNodes;
  const nodes = plan.plannedNodes.length;
  const fewer = nodes <= most ? undefined : planWithin(question, most);
  const counted = { case: `${question.id}: ours, nodes`, figure: nodes, unit: 'nodes' };
  if (fewer === undefined) return [{ ...counted, atMost: most }];
  const earned = (fewer.pricePerHour - plan.pricePerHour) / (nodes - fewer.plannedNodes.length);
  return [
    counted,
    { case: `${question.id}: ours, nodes where at most ${Math.floor(most)} are allowed`, figure: fewer.plannedNodes.length, unit: 'nodes' },
    { case: `${question.id}: what each further node saves`, figure: earned * 100, unit: 'cents/h', atLeast: LEAST_EARNED * 100 },
  ];
};

/** What the question costs under the other policies of preferences; "Preferences" of `docs/scheduling.md` shows them. */
const policyFigures = ({ id, snapshot, policy }: OriginalQuestion): readonly Figure[] =>
  (['Weigh', 'Ignore'] as const).flatMap((preferences) => {
    const plan = simulate(snapshot, { ...policy, preferences });
    return [
      { case: `${id}: ours under ${preferences}`, figure: plan.pricePerHour, unit: '$/h' },
      { case: `${id}: ours under ${preferences}, nodes`, figure: plan.plannedNodes.length, unit: 'nodes' },
    ];
  });

const figuresOf = async (question: OriginalQuestion): Promise<readonly Figure[]> => {
  const { id, snapshot, policy } = question;
  const { plan, ms } = timed(question);
  checkComplete(snapshot, policy, plan);
  const original = answeredPlan(question);
  const bound = await boundOf(snapshot, policy.labelCatalog);
  const over = ({ pricePerHour }: Plan): number => (pricePerHour / bound - 1) * 100;
  const originalNodes = original.plannedNodes.length;
  return [
    { case: `${id}: bound`, figure: bound, unit: '$/h' },
    { case: `${id}: original`, figure: original.pricePerHour, unit: '$/h' },
    { case: `${id}: ours`, figure: plan.pricePerHour, unit: '$/h', atMost: original.pricePerHour },
    { case: `${id}: original, nodes`, figure: originalNodes, unit: 'nodes' },
    ...nodeFigures(question, plan, originalNodes),
    { case: `${id}: original over the bound`, figure: over(original), unit: '%' },
    { case: `${id}: ours over the bound`, figure: over(plan), unit: '%', ...barOf(id) },
    { case: `${id}: pods beside one they would avoid`, figure: podsTogether(plan), unit: 'pods', atMost: podsTogether(original) },
    ...(id.includes('charts') ? policyFigures(question) : []),
    ...timesOf(question, ms),
  ];
};

/** The first plan after a rehearsal for the same pools and types. */
const rehearsedFigure = (question: OriginalQuestion): Figure => {
  const { id, snapshot, policy } = question;
  for (const pendingPods of rehearsedPods) simulate({ ...snapshot, nodes: [], pendingPods }, policy);
  return { case: `${id}: processor time, first plan after a rehearsal`, figure: timed(question).ms, unit: 'ms', atMost: FIRST_MS };
};

const wanted = caseWanted();
const measured = async (name: string): Promise<readonly Figure[]> => {
  const id = name.replace(REHEARSED, '');
  const [question] = questionsIn({ folder: recordedQuestions, name: 'realistic', ids: new Set([id]) });
  if (question === undefined) throw new Error(`There is no case ${name}; there are ${cases.join(', ')}`);
  return name === id ? figuresOf(question) : [rehearsedFigure(question)];
};
report(wanted === undefined ? cases.flatMap(measureApart) : await measured(wanted));
