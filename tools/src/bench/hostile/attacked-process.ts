/** One plan under one attack, alone in a process. Argument: the attack's name, or `nothing`. Prints an `AttackedPlan` as JSON. */
import { allAttacks } from './all-attacks.ts';
import { attackedPlan } from './attacked-plan.ts';
import { attackedCluster } from './ordinary-cluster.ts';

const [name = ''] = process.argv.slice(2);
// A controller has planned before: what V8 has yet to compile is not the attacker's doing.
attackedPlan(attackedCluster({}));
const plan = attackedPlan(attackedCluster(allAttacks.get(name)?.() ?? {}));
process.stdout.write(`${JSON.stringify(plan)}\n`);
