/**
 * `pnpm bench:hostile`: plans for ordinary pods, and searches for nodes to disrupt, beside the objects of an attacker; each attack in a process of its own
 * under the heap limit of the chart. `--case=<words of its name>` tries those attacks alone, `--json` prints JSON.
 * Ends with 1 when a bar is missed.
 */
import { allAttacks } from './hostile/all-attacks.ts';
import type { Target } from './hostile/attack.ts';
import { attackApart } from './hostile/attacked-apart.ts';
import type { AttackedRun } from './hostile/attacked-apart.ts';
import { figuresOfAttacks } from './hostile/figures-of-attacks.ts';
import { isMissed, report } from './report.ts';

const PREFIX = '--case=';

const wanted = process.argv.find((argument) => argument.startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
const names = [...allAttacks.keys()].filter((name) => name.includes(wanted));
if (names.length === 0) throw new Error(`No attack has the words "${wanted}" in its name`);

const onceWithoutAttack = (target: Target): AttackedRun => {
  const run = attackApart(target);
  if (typeof run === 'string') throw new Error(`Without any attack the ${target} is ${run}`);
  if (run.ordinary === 0) throw new Error(`Without any attack the ${target} decides about nothing`);
  return run;
};

/** Of three the one with the median processor time: every attack is compared with it. */
const withoutAttack = (target: Target): AttackedRun => {
  const [first, second, third] = [onceWithoutAttack(target), onceWithoutAttack(target), onceWithoutAttack(target)];
  const [, median = first] = [first, second, third].sort((a, b) => a.cpuMs - b.cpuMs);
  return median;
};

const usual = { plan: withoutAttack('plan'), pass: withoutAttack('pass') };
const figures = figuresOfAttacks(usual, new Map(names.map((name) => [name, attackApart(name)])));
report(figures);
process.exitCode = figures.some(isMissed) ? 1 : 0;
