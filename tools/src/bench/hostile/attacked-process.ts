/**
 * Two decisions under one attack, alone in a process. Argument: the attack's name, or the target that nothing attacks.
 * Prints an `AttackedRun` as JSON.
 */
import { allAttacks } from './all-attacks.ts';
import { noAttackOn, targetOf } from './attack.ts';
import type { Attack } from './attack.ts';
import { attackedPlan, attackedProbes, decisionOn } from './attacked-plan.ts';
import { attackedCluster } from './ordinary-cluster.ts';

const [name = ''] = process.argv.slice(2);
const attack = (): Attack => allAttacks.get(name)?.() ?? noAttackOn[name === 'pass' ? 'pass' : 'plan'];
const target = targetOf(attack());
const deciding = decisionOn[target];
// A controller has decided before: what V8 has yet to compile is not the attacker's doing.
attackedPlan(attackedCluster(noAttackOn[target]), deciding);
const plan = attackedPlan(attackedCluster(attack()), deciding);
const probes = await attackedProbes(attackedCluster(attack()), deciding);
process.stdout.write(`${JSON.stringify({ target, ...plan, ...probes })}\n`);
