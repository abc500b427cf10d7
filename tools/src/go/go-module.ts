import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the `go` tool in a folder; returns what it prints. */
export const go = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('go', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** A Go module of its own, gone when it is disposed. */
export const newModule = (text: string): Disposable & { readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'go-module-'));
  writeFileSync(join(folder, 'go.mod'), text);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};

/** A published Go module, as `go mod download -json` describes it. */
export interface DownloadedModule {
  /** Path of its go.mod. */
  readonly GoMod: string;
  /** Folder of its sources. */
  readonly Dir: string;
}

/** Downloads a module: `sigs.k8s.io/kwok@v0.7.0`. */
export const download = (module: string): DownloadedModule => {
  using empty = newModule('module requirements\n\ngo 1.25.0\n');
  return JSON.parse(go(empty.folder, 'mod', 'download', '-json', module)) as DownloadedModule;
};

/** A program of a published Go module. */
export interface GoProgram {
  readonly module: string;
  readonly version: string;
  /** Import path of its main package. */
  readonly main: string;
}

/** Builds a program into a file. */
export const buildProgram = ({ module, version, main }: GoProgram, target: string): void => {
  using own = newModule('module program\n\ngo 1.25.0\n');
  mkdirSync(join(target, '..'), { recursive: true });
  go(own.folder, 'get', `${module}@v${version}`);
  go(own.folder, 'build', '-o', target, main);
};
