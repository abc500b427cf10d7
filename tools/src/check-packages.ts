/**
 * Packs every publishable package as it would be published and checks the tarball: publint (entry points exist and mean what they say)
 * and attw (the types resolve for those who import it). Exits 1 with the findings of every package when one of them fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@12.21.0';
const tools = join(dirname(fileURLToPath(import.meta.url)), '..');
const packagesFolder = join(tools, '..', 'packages');

interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

const run = ({ command, args, cwd }: Step): string | undefined => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) return error.message;
  return status === 0 ? undefined : `${stdout}${stderr}`;
};

const checkPackage = (name: string, folder: string): readonly string[] => {
  const cwd = join(packagesFolder, name);
  const tarball = join(folder, `${name}.tgz`);
  const packed = run({ command: 'npx', args: ['-y', PNPM, 'pack', '--out', tarball], cwd });
  if (packed !== undefined) return [packed];
  const bin = join(tools, 'node_modules', '.bin');
  const findings = [
    run({ command: join(bin, 'publint'), args: [tarball, '--strict'], cwd }),
    run({ command: join(bin, 'attw'), args: [tarball, '--profile', 'esm-only', '--no-emoji'], cwd }),
  ];
  return findings.filter((finding) => finding !== undefined);
};

const folder = mkdtempSync(join(tmpdir(), 'karpenter-packages-'));
try {
  const failed = readdirSync(packagesFolder).filter((name) => {
    const findings = checkPackage(name, folder);
    console.log(`@karpenter/${name}: ${findings.length === 0 ? 'ok' : 'failed'}`);
    for (const finding of findings) console.log(finding);
    return findings.length > 0;
  });
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
