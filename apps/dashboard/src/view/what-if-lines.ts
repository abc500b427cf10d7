import { countText, percentText, podAndOthers, zoneText } from '@karpenter/cli/amounts';
import type { DiffAnswer, PlanAnswer } from '@karpenter/cli/answers';
import type { WhatIfAnswer } from '../serve/what-if.ts';
import { dollars, dollarsAMonth } from './texts.ts';

/** An answer in words. */
export interface AnswerLines {
  readonly title: string;
  readonly tone: 'good' | 'bad';
  readonly lines: readonly string[];
}

const ROWS_SHOWN = 12;

const rest = (all: readonly unknown[]): readonly string[] => (all.length > ROWS_SHOWN ? [`and ${all.length - ROWS_SHOWN} more`] : []);

const nodeLines = ({ nodes, onExistingNodes }: PlanAnswer['plan']): readonly string[] => {
  const standing = Object.values(onExistingNodes);
  const pods = standing.reduce((sum, each) => sum + each, 0);
  return [
    ...(pods === 0 ? [] : [`${countText(pods, 'pod')} on ${countText(standing.length, 'node')} with free room`]),
    ...nodes
      .slice(0, ROWS_SHOWN)
      .map(
        (each) =>
          `${countText(each.count, 'new node')} ${each.instanceType} (${each.capacityType}, ${zoneText(each)}) of NodePool ${each.nodePool} for ${countText(each.pods, 'pod')}: ${dollars(each.pricePerHour)}/h`,
      ),
    ...rest(nodes),
  ];
};

const unplacedLines = (unplaced: PlanAnswer['plan']['unplaced']): readonly string[] => [
  ...unplaced.slice(0, 3).map(({ why }) => why),
  ...(unplaced.length > 3 ? [`and ${unplaced.length - 3} more without a place`] : []),
];

const relaxedLines = (relaxed: PlanAnswer['plan']['relaxed']): readonly string[] => [
  ...relaxed.slice(0, ROWS_SHOWN).map(({ pod, pods, why }) => `Preferences relaxed for ${podAndOthers(pod, pods)}: ${why.join('; ')}`),
  ...(relaxed.length > ROWS_SHOWN ? [`and ${countText(relaxed.length - ROWS_SHOWN, 'other group')} of pods`] : []),
];

const alternativeLine = ({ pricePerHour }: PlanAnswer['plan'], each: PlanAnswer['alternatives'][number]): string => {
  const change =
    pricePerHour === 0
      ? ''
      : ` (${each.pricePerHour < pricePerHour ? '−' : '+'}${percentText(Math.abs(each.pricePerHour / pricePerHour - 1))})`;
  const lost = each.unplacedPods === 0 ? '' : `, ${countText(each.unplacedPods, 'pod')} without a place`;
  return `instead ${each.name}: ${countText(each.nodes, 'node')}, ${dollars(each.pricePerHour)}/h${change}${lost}`;
};

const planLines = ({ pods, plan, alternatives }: PlanAnswer): AnswerLines => {
  const nodes = plan.nodes.reduce((sum, each) => sum + each.count, 0);
  return {
    title: `${countText(pods, 'pod')}: ${countText(nodes, 'new node')}, ${dollars(plan.pricePerHour)}/h (${dollarsAMonth(plan.pricePerHour)} a month) more`,
    tone: plan.unplaced.length === 0 ? 'good' : 'bad',
    lines: [
      ...nodeLines(plan),
      ...unplacedLines(plan.unplaced),
      ...relaxedLines(plan.relaxed),
      ...alternatives.map((each) => alternativeLine(plan, each)),
    ],
  };
};

const diffLines = ({ drifted, plan, lostPods, gainedPods, pricePerHour, repacked }: DiffAnswer): AnswerLines => {
  const { before, after } = pricePerHour;
  return {
    title: `${dollars(before)}/h before, ${dollars(after)}/h after: ${dollars(Math.abs(after - before))}/h ${after > before ? 'more' : 'less'}`,
    tone: lostPods.length === 0 ? 'good' : 'bad',
    lines: [
      ...(drifted.length === 0 ? ['no node drifts'] : [`${countText(drifted.length, 'node')} would drift`]),
      ...drifted.slice(0, ROWS_SHOWN).map(({ node, reason }) => `${node}: ${reason}`),
      ...rest(drifted),
      ...nodeLines(plan),
      ...unplacedLines(lostPods),
      ...relaxedLines(plan.relaxed),
      ...(gainedPods.length === 0 ? [] : [`${countText(gainedPods.length, 'pod')} would get a place`]),
      `packed again from nothing: ${dollars(repacked.before.pricePerHour)}/h before, ${dollars(repacked.after.pricePerHour)}/h after`,
    ],
  };
};

/** What the answer says, for people. */
export const answerLines = (answer: WhatIfAnswer): AnswerLines => {
  switch (answer.kind) {
    case 'plan':
      return planLines(answer.answer);
    case 'diff':
      return diffLines(answer.answer);
    case 'refused':
      return { title: 'Refused', tone: 'bad', lines: [answer.why] };
  }
};
