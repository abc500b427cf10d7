/**
 * `pnpm fuzz`: mutated and drawn objects, answers, options, manifests, and what goes into custom data: a million cases.
 * `--cases=<number>` tries so many, `--seed=<number>` those of a failure again. A crash, a case of more than a second,
 * or a refusal that names nothing fails. A case that does not end is ended after half a minute of processor time, and
 * named with its test and seed. `--hours=<number>` (default 24) bounds the whole run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const given = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

const cases = given('cases') ?? '1000000';
const seed = given('seed') ?? String(Math.floor(Math.random() * 2 ** 31));
const hours = Number(given('hours') ?? '24');
process.stdout.write(`${cases} cases, seed ${seed}\n`);
/** Those that have fuzz tests: in another project a pattern that matches nothing would pass. */
const projects = 'azure,testkit,tools';
const run = spawn(
  'pnpm',
  ['exec', 'nx', 'run-many', '-t', 'test', '-p', projects, '--skip-nx-cache', '--', 'fuzz', '--passWithNoTests=false'],
  {
    stdio: 'inherit',
    env: { ...process.env, FUZZ_CASES: cases, LAWS_SEED: seed },
    // A group of its own, so that the limit ends the processes of all tests.
    detached: true,
  },
);
const { pid } = run;
if (pid === undefined) throw new Error('pnpm cannot be started');
const endGroup = (): void => void process.kill(-pid, 'SIGKILL');
const limit = setTimeout(() => {
  process.stdout.write(`the cases were not done: stopped after ${hours} hours, seed ${seed}\n`);
  endGroup();
}, hours * 3_600_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endGroup);
const [code] = (await once(run, 'exit')) as [number | null];
clearTimeout(limit);
process.exitCode = code ?? 1;
