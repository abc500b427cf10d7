/**
 * Packs every publishable package as it would be published and checks the tarball: publint (entry points exist and mean
 * what they say) and attw (the types resolve for those who import it). Then an app outside the workspace installs all
 * of them and runs. Exits 1 with the findings when something fails.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkOutside } from './packages/outside-app.ts';
import { type CommandStep, runStep } from './packages/run-step.ts';

const tools = join(dirname(fileURLToPath(import.meta.url)), '..');
const packagesFolder = join(tools, '..', 'packages');

const run = (step: CommandStep): string | undefined => runStep(step).failure;

const tarballOf = (name: string, folder: string): string => join(folder, `${name}.tgz`);

const checkPackage = (name: string, folder: string): readonly string[] => {
  const cwd = join(packagesFolder, name);
  const tarball = tarballOf(name, folder);
  const bin = join(tools, 'node_modules', '.bin');
  const packed = run({ command: join(bin, 'pnpm'), args: ['pack', '--out', tarball], cwd });
  if (packed !== undefined) return [packed];
  const findings = [
    run({ command: join(bin, 'publint'), args: [tarball, '--strict'], cwd }),
    run({ command: join(bin, 'attw'), args: [tarball, '--profile', 'esm-only', '--no-emoji'], cwd }),
  ];
  return findings.filter((finding) => finding !== undefined);
};

const folder = mkdtempSync(join(tmpdir(), 'karpenter-packages-'));
try {
  const names = readdirSync(packagesFolder);
  const failed = names.filter((name) => {
    const findings = checkPackage(name, folder);
    console.log(`@karpenter/${name}: ${findings.length === 0 ? 'ok' : 'failed'}`);
    for (const finding of findings) console.log(finding);
    return findings.length > 0;
  });
  const tarballs = Object.fromEntries(names.map((name) => [name, tarballOf(name, folder)]));
  const outside = failed.length === 0 ? checkOutside({ folder, tarballs, root: join(tools, '..') }) : [];
  for (const finding of outside) console.log(`outside the workspace: ${finding}`);
  process.exitCode = failed.length + outside.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
