import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** What a replica is started from. */
export interface ReplicaOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** All that it prints is appended there. */
  readonly logPath: string;
}

const RESTART_AFTER_MS = 1_000;

/** One replica of the controller, which is started again whenever it ends, as a Deployment does. Disposing ends it. */
export class Replica implements AsyncDisposable {
  readonly name: string;
  /** How often it ended without being killed. */
  ends = 0;
  readonly #options: ReplicaOptions;
  #env: Readonly<Record<string, string>> = {};
  #child: ChildProcess;
  #isLeader = false;
  #isKilled = false;
  #isDisposed = false;

  constructor(options: ReplicaOptions) {
    this.name = options.name;
    this.#options = options;
    this.#child = this.#start();
  }

  /** As its own log has it. A frozen one still takes itself for the leader. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  /** `kill -9`; another process takes its place. */
  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#end('SIGKILL');
  }

  /** Ends it in order, and starts it with other variables in addition. */
  async restartWith(env: Readonly<Record<string, string>>): Promise<void> {
    this.#env = env;
    this.#isKilled = true;
    await this.#end('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  #start(): ChildProcess {
    const { command, env, logPath } = this.#options;
    const [program, ...args] = command;
    const child = spawn(program, args, { env: { ...env, ...this.#env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', (line) => this.#note(line, logPath));
    child.once('exit', () => void this.#replace());
    return child;
  }

  #note(line: string, logPath: string): void {
    appendFileSync(logPath, `${line}\n`);
    if (line.includes('became the leader')) this.#isLeader = true;
  }

  async #replace(): Promise<void> {
    this.#isLeader = false;
    if (!this.#isKilled && !this.#isDisposed) this.ends += 1;
    this.#isKilled = false;
    await pause(RESTART_AFTER_MS);
    if (!this.#isDisposed) this.#child = this.#start();
  }
}
