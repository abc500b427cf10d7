import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BootstrapSource } from '../bootstrap/bootstrap-variables.ts';
import { bootstrapVariables } from '../bootstrap/bootstrap-variables.ts';
import { customDataOf } from '../bootstrap/custom-data.ts';

/** Commands of the script that would touch the machine, or find nothing on an empty path. */
const STUBS = ['mkdir', 'seq', 'grep', 'sleep', 'date', 'hostname'].map((name) => `${name}() { :; }`).join('\n');

const BASH = ['--noprofile', '--norc'] as const;
const LIMIT_MS = 60_000;
/** Of processor time, for each script. */
const SCRIPT_LIMIT = 'ulimit -t 1';

/** How one script did. */
export interface ScriptRun {
  /** What `bash -n` says of it; empty: it is well formed. */
  readonly refusal: string;
  /** What each variable holds in the end. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Runs bootstrap scripts, many in one process, in a folder of its own that goes when it is disposed. */
export class BootstrapShell implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  /** A file that hostile values try to make, and that a command which is not there makes. */
  readonly trace = join(this.#folder, 'executed');

  /** Whether anything was executed that is no part of the script. */
  get isTraced(): boolean {
    return existsSync(this.trace);
  }

  /** Decodes the custom data of each, checks it with `bash -n`, and runs it without what touches the machine. */
  run(sources: readonly BootstrapSource[]): readonly ScriptRun[] {
    const names = sources.map((source) => Object.keys(bootstrapVariables(source)).sort());
    const steps = sources.map((source, index) => this.#stepOf(index, Buffer.from(customDataOf(source), 'base64'), names[index] ?? []));
    const { status, stdout, stderr } = spawnSync('/bin/bash', BASH, {
      input: steps.join('\n'),
      env: { PATH: '', HOME: this.#folder },
      cwd: this.#folder,
      encoding: 'utf8',
      timeout: LIMIT_MS,
      maxBuffer: 2 ** 28,
    });
    if (status !== 0 || stderr !== '') throw new Error(`bash ended with ${status ?? 'no status'}: ${stderr}`);
    const printed = stdout.split('\0').values();
    const next = (): string => printed.next().value ?? '';
    return names.map((each) => ({ refusal: next(), variables: Object.fromEntries(each.map((name) => [name, next()])) }));
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  #stepOf(index: number, script: Buffer, names: readonly string[]): string {
    const [whole, tamed] = [`${index}.sh`, `${index}.tamed.sh`];
    writeFileSync(join(this.#folder, whole), script);
    writeFileSync(join(this.#folder, tamed), this.#tamed(script.toString('utf8'), names));
    return `printf '%s\\0' "$(${SCRIPT_LIMIT}; /bin/bash ${BASH.join(' ')} -n ${whole} 2>&1 || echo "status $?")"\n( ${SCRIPT_LIMIT}; . ./${tamed} )`;
  }

  /**
   * The script with what touches the machine taken out: commands are functions that do nothing, and the last line
   * prints the variables instead of starting the node.
   */
  #tamed(script: string, names: readonly string[]): string {
    const lines = script
      .replace("echo '#EOF' >> /opt/azure/manifest.json\n", '')
      .replace('echo "$(date),$(hostname)" > /var/log/azure/cluster-provision-cse-output.log\n', '')
      .replace(/\n\/usr\/bin\/nohup [^\n]*\n$/, '\n');
    const print = names.map((name) => `printf '%s\\0' "$${name}"`).join('\n');
    // As the scripts of the image do before their first download.
    const evaluated = 'eval $PROXY_VARS';
    return `command_not_found_handle() { : > '${this.trace}'; }\n${STUBS}\n${lines}${evaluated}\n${print}\n`;
  }
}
