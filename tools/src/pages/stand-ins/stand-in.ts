/**
 * `stand-in.ts <program> …`: what a page shows is done, as far as it can be without a cloud, or judged. Ends with 1 and
 * a reason.
 */
import { delimiter } from 'node:path';

type Program = (words: readonly string[]) => void | Promise<void>;

/** Each loads what it needs, and nothing of the others: a page starts dozens. */
const programs: Readonly<Record<string, () => Promise<Program>>> = {
  az: async () => (await import('./az.ts')).az,
  docker: async () => (await import('./docker.ts')).docker,
  helm: async () => (await import('./helm.ts')).standInHelm,
  kubectl: async () => (await import('./kubectl.ts')).kubectl,
  node: async () => (await import('./controller-program.ts')).node,
  npm: async () => (await import('./package-scripts.ts')).npm,
  npx: async () => (await import('./package-scripts.ts')).npx,
  pnpm: async () => (await import('./package-scripts.ts')).pnpm,
};

// Stand-ins come first in the path; what they start is the program itself.
process.env['PATH'] = (process.env['PATH'] ?? '').split(delimiter).slice(1).join(delimiter);
const [name = '', ...words] = process.argv.slice(2);
try {
  const program = await programs[name]?.();
  if (program === undefined) throw new Error('there is no stand-in for it');
  await program(words);
} catch (error) {
  process.stderr.write(`${name} ${words.join(' ')}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
