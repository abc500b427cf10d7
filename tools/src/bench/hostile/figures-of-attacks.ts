import type { Figure } from '../report.ts';
import type { Target } from './attack.ts';
import type { AttackedRun, AttackEnding } from './attacked-apart.ts';

/** How long pods are collected before they are planned: a burst of many, as the chart has it, and a lone one. */
const BATCH_MS = { burst: 1000, lone: 75 } as const;
/** How many times longer ordinary pods may wait under attack, and how much more memory may be resident. */
const MOST_TIMES = 1.5;
const LONGEST_STEP_MS = 250;
const LONGEST_HEALTHZ_MS = 250;

/** How many times longer pods wait than usual, from their creation to the plan. */
const timesLonger = (batchMs: number, run: AttackedRun, usual: AttackedRun): number => (batchMs + run.cpuMs) / (batchMs + usual.cpuMs);

/** How much later ordinary pods have their plan. A lone pod is planned alone, which usually takes less than here, where hundreds are. */
const planFigures = (name: string, run: AttackedRun, usual: AttackedRun): readonly Figure[] => [
  { case: `${name}: ordinary pods placed`, figure: run.ordinary, unit: 'pods', atLeast: usual.ordinary },
  {
    ...{ case: `${name}: until a burst of pods is planned, against usual`, figure: timesLonger(BATCH_MS.burst, run, usual) },
    ...{ unit: 'x', atMost: MOST_TIMES },
  },
  { case: `${name}: until a lone pod is planned, against usual`, figure: timesLonger(BATCH_MS.lone, run, usual), unit: 'x' },
  { case: `${name}: the plan alone, against usual`, figure: run.cpuMs / usual.cpuMs, unit: 'x' },
];

/** A pass evaluates the attacker's nodes too, and has a minute for each method: its length is no harm to others. */
const passFigures = (name: string, run: AttackedRun, usual: AttackedRun): readonly Figure[] => [
  { case: `${name}: ordinary nodes evaluated`, figure: run.ordinary, unit: 'nodes', atLeast: usual.ordinary },
  { case: `${name}: the pass, against usual`, figure: run.cpuMs / usual.cpuMs, unit: 'x' },
];

const figuresOf = (name: string, run: AttackEnding, usual: AttackedRun): readonly Figure[] => {
  if (typeof run === 'string')
    return [
      { case: `${name}: ${run === 'late' ? 'no decision in two minutes' : 'the process died'}`, figure: 1, unit: 'times', atMost: 0 },
    ];
  const reasons = Object.entries(run.reasons).map(([reason, count]) => `${count} ${reason}`);
  const isPlan = run.target === 'plan';
  return [
    ...(isPlan ? planFigures : passFigures)(name, run, usual),
    { case: `${name}: processor time`, figure: run.cpuMs, unit: 'ms' },
    { case: `${name}: longest step`, figure: run.longestStepMs, unit: 'ms', atMost: LONGEST_STEP_MS },
    { case: `${name}: longest turn while sliced, processor time`, figure: run.longestTurnMs, unit: 'ms', atMost: LONGEST_HEALTHZ_MS },
    {
      ...{ case: `${name}: longest of ${run.probes} answers of /healthz`, figure: run.longestHealthzMs },
      ...{ unit: 'ms', atMost: LONGEST_HEALTHZ_MS },
    },
    { case: `${name}: resident memory, against usual`, figure: run.peakRssMiB / usual.peakRssMiB, unit: 'x', atMost: MOST_TIMES },
    { case: `${name}: heap at its most`, figure: run.peakHeapMiB, unit: 'MiB' },
    {
      case: `${name}: the attacker's ${isPlan ? 'pods placed' : 'nodes evaluated'}${reasons.length === 0 ? '' : `; ${reasons.join(', ')}`}`,
      figure: run.hostile,
      unit: isPlan ? 'pods' : 'nodes',
    },
  ];
};

/** What each target comes to without an attack. */
export type Usual = Readonly<Record<Target, AttackedRun>>;

const usualFigures = (usual: Usual): readonly Figure[] =>
  Object.entries(usual).flatMap(([target, run]) => [
    { case: `no attack, ${target}: processor time`, figure: run.cpuMs, unit: 'ms' },
    { case: `no attack, ${target}: longest step`, figure: run.longestStepMs, unit: 'ms' },
    { case: `no attack, ${target}: longest answer of /healthz`, figure: run.longestHealthzMs, unit: 'ms' },
    { case: `no attack, ${target}: resident memory`, figure: run.peakRssMiB, unit: 'MiB' },
  ]);

/** The figures of all attacks, and how many ended in the death of the process. */
export const figuresOfAttacks = (usual: Usual, endings: ReadonlyMap<string, AttackEnding>): readonly Figure[] => {
  const all = [...endings.values()];
  const targetOf = (ending: AttackEnding): Target => (typeof ending === 'string' ? 'plan' : ending.target);
  return [
    ...usualFigures(usual),
    ...[...endings].flatMap(([name, ending]) => figuresOf(name, ending, usual[targetOf(ending)])),
    { case: 'attacks', figure: all.length, unit: 'attacks', atLeast: 1 },
    {
      case: 'attacks that no decision came of in two minutes',
      figure: all.filter((ending) => ending === 'late').length,
      unit: 'attacks',
      atMost: 0,
    },
    { case: 'deaths', figure: all.filter((ending) => ending === 'dead').length, unit: 'attacks', atMost: 0 },
  ];
};
