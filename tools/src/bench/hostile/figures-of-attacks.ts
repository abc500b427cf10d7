import type { Figure } from '../report.ts';
import type { AttackedRun, AttackEnding } from './attacked-apart.ts';

/** From the first ordinary pod to the plan: pods are collected for a second, as the chart has it. */
const BATCH_MS = 1000;
/** How many times longer ordinary pods may wait under attack, and how much more memory may be resident. */
const MOST_TIMES = 1.5;
const LONGEST_STEP_MS = 250;
const LONGEST_HEALTHZ_MS = 250;

const timesLonger = (plan: AttackedRun, usual: AttackedRun): number => (BATCH_MS + plan.cpuMs) / (BATCH_MS + usual.cpuMs);

const figuresOf = (name: string, plan: AttackEnding, usual: AttackedRun): readonly Figure[] => {
  if (typeof plan === 'string')
    return [{ case: `${name}: ${plan === 'late' ? 'no plan in two minutes' : 'the process died'}`, figure: 1, unit: 'times', atMost: 0 }];
  const reasons = Object.entries(plan.rejections).map(([reason, count]) => `${count} ${reason}`);
  return [
    { case: `${name}: ordinary pods placed`, figure: plan.ordinaryPlaced, unit: 'pods', atLeast: usual.ordinaryPlaced },
    { case: `${name}: until ordinary pods are planned, against usual`, figure: timesLonger(plan, usual), unit: 'x', atMost: MOST_TIMES },
    { case: `${name}: processor time`, figure: plan.cpuMs, unit: 'ms' },
    { case: `${name}: longest step`, figure: plan.longestStepMs, unit: 'ms', atMost: LONGEST_STEP_MS },
    { case: `${name}: longest turn while sliced, processor time`, figure: plan.longestTurnMs, unit: 'ms', atMost: LONGEST_HEALTHZ_MS },
    {
      ...{ case: `${name}: longest of ${plan.probes} answers of /healthz`, figure: plan.longestHealthzMs },
      ...{ unit: 'ms', atMost: LONGEST_HEALTHZ_MS },
    },
    { case: `${name}: resident memory, against usual`, figure: plan.peakRssMiB / usual.peakRssMiB, unit: 'x', atMost: MOST_TIMES },
    { case: `${name}: heap at its most`, figure: plan.peakHeapMiB, unit: 'MiB' },
    {
      case: `${name}: the attacker's pods placed${reasons.length === 0 ? '' : `; ${reasons.join(', ')}`}`,
      figure: plan.hostilePlaced,
      unit: 'pods',
    },
  ];
};

/** The figures of all attacks, and how many ended in the death of the process. */
export const figuresOfAttacks = (usual: AttackEnding, endings: ReadonlyMap<string, AttackEnding>): readonly Figure[] => {
  if (typeof usual === 'string') throw new Error(`Without any attack the plan is ${usual}`);
  const all = [...endings.values()];
  return [
    { case: 'no attack: processor time', figure: usual.cpuMs, unit: 'ms' },
    { case: 'no attack: longest step', figure: usual.longestStepMs, unit: 'ms' },
    { case: 'no attack: longest answer of /healthz', figure: usual.longestHealthzMs, unit: 'ms' },
    { case: 'no attack: resident memory', figure: usual.peakRssMiB, unit: 'MiB' },
    ...[...endings].flatMap(([name, ending]) => figuresOf(name, ending, usual)),
    { case: 'attacks', figure: all.length, unit: 'attacks' },
    {
      case: 'attacks that no plan came of in two minutes',
      figure: all.filter((ending) => ending === 'late').length,
      unit: 'attacks',
      atMost: 0,
    },
    { case: 'deaths', figure: all.filter((ending) => ending === 'dead').length, unit: 'attacks', atMost: 0 },
  ];
};
