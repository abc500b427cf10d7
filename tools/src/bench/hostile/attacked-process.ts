/**
 * Two plans under one attack, alone in a process. Argument: the attack's name, or `nothing`. Prints an `AttackedRun` as
 * JSON.
 */
import { allAttacks } from './all-attacks.ts';
import { attackedPlan, attackedProbes } from './attacked-plan.ts';
import { attackedCluster } from './ordinary-cluster.ts';

const [name = ''] = process.argv.slice(2);
const underAttack = () => attackedCluster(allAttacks.get(name)?.() ?? {});
// A controller has planned before: what V8 has yet to compile is not the attacker's doing.
attackedPlan(attackedCluster({}));
const plan = attackedPlan(underAttack());
const probes = await attackedProbes(underAttack());
process.stdout.write(`${JSON.stringify({ ...plan, ...probes })}\n`);
