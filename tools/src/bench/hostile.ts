/**
 * `pnpm bench:hostile`: plans for ordinary pods beside the objects of an attacker, each attack in a process of its own
 * under the heap limit of the chart. `--case=<words of its name>` tries those attacks alone, `--json` prints JSON.
 */
import { allAttacks } from './hostile/all-attacks.ts';
import { attackedApart } from './hostile/attacked-apart.ts';
import { figuresOfAttacks } from './hostile/figures-of-attacks.ts';
import { report } from './report.ts';

const PREFIX = '--case=';

const wanted = process.argv.find((argument) => argument.startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
const names = [...allAttacks.keys()].filter((name) => name.includes(wanted));
const usual = attackedApart('nothing');
report(figuresOfAttacks(usual, new Map(names.map((name) => [name, attackedApart(name)]))));
