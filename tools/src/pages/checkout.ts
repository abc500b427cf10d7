import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { repository } from '../repository.ts';

const PROGRAMS = ['az', 'docker', 'helm', 'kubectl', 'node', 'npm', 'npx', 'pnpm'];

const standIn = (program: string): string =>
  `#!/usr/bin/env bash\nexec '${process.execPath}' --conditions=@karpenter/source --no-warnings '${import.meta.dirname}/stand-ins/stand-in.ts' ${program} "$@"\n`;

/** A page that hangs is stopped before its test is. */
const LONGEST_MS = 200_000;

/** What is there to be converted. */
const OLD = 'apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata:\n  name: former\nspec: {}\n';

/** A checkout of the repository in which somebody follows a page, with stand-ins for the programs that reach out of it. */
export interface Checkout extends Disposable {
  /** Runs a script of bash; the first command that fails ends it. */
  run(script: string, kubeconfig: string): Promise<{ readonly status: number | null; readonly stderr: string }>;
  /** What stands in a file of the checkout. */
  read(file: string): string;
}

/** A new one, in a folder that is gone with it. The manifests of packages are copies: a page may change them. */
export const checkoutWithStandIns = (): Checkout => {
  const parent = mkdtempSync(join(tmpdir(), 'karpenter-checkout-'));
  const folder = join(parent, 'checkout');
  mkdirSync(folder);
  mkdirSync(join(folder, 'bin'));
  for (const program of PROGRAMS) writeFileSync(join(folder, 'bin', program), standIn(program), { mode: 0o755 });
  for (const name of ['apps', 'docs']) symlinkSync(repository(name), join(folder, name));
  for (const manifest of globSync('packages/*/package.json', { cwd: repository('.') })) {
    mkdirSync(join(folder, dirname(manifest)), { recursive: true });
    cpSync(repository(manifest), join(folder, manifest));
  }
  for (const name of ['packages/kwok/crds', 'packages/kwok/examples']) symlinkSync(repository(name), join(folder, name));
  mkdirSync(join(folder, 'old'));
  writeFileSync(join(folder, 'old', 'class.yaml'), OLD);
  return {
    run: async (script, kubeconfig) => {
      writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
      const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        timeout: LONGEST_MS,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...process.env,
          HOME: folder,
          PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
          KUBECONFIG_OF_TEST: join(folder, 'kubeconfig'),
          // A page starts dozens of stand-ins, which are TypeScript.
          NODE_COMPILE_CACHE: repository('node_modules/.cache/stand-ins'),
        },
      });
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const [status] = (await once(child, 'close')) as [number | null];
      return { status, stderr };
    },
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true }),
  };
};
