/**
 * `pnpm fuzz`: mutated objects, answers, options and manifests, a million of them, drawn at random. `--cases=<number>`
 * tries so many, `--seed=<number>` those of a failure again. A crash, a case of more than a second, or a refusal that
 * names nothing fails.
 */
import { spawnSync } from 'node:child_process';

const given = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

const cases = given('cases') ?? '1000000';
const seed = given('seed') ?? String(Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`${cases} cases, seed ${seed}\n`);
const { status } = spawnSync('pnpm', ['exec', 'nx', 'run-many', '-t', 'test', '--skip-nx-cache', '--', 'fuzz', '--passWithNoTests'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_CASES: cases, LAWS_SEED: seed },
});
process.exitCode = status ?? 1;
