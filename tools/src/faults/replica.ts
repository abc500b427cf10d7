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

/** What the controller logs of a bug that it contained: in a reconcile of one object or of all, in a plan, in a report. */
const BUG =
  /reconcile has a bug|could not be transformed|a cache listener threw|triggers a bug|not made because of a bug|a report failed|can no longer be trusted/;

/** Whether the line of the controller's log names a bug. */
export const isBugLine = (line: string): boolean => BUG.test(line);

/** A start fails while the API server or Azure do not answer, each after seconds: no fault lasts for so many. */
const MOST_FAILED_STARTS = 60;

/** What one process has said so far. */
interface Life {
  hasStarted: boolean;
  /** It has said in one line why it cannot start. */
  hasStartError: boolean;
  hasLostLeadership: boolean;
}

/** One replica of the controller, which is started again whenever it ends, as a Deployment does. Disposing ends it. */
export class Replica implements AsyncDisposable {
  readonly name: string;
  /** How often it ended without being killed. */
  ends = 0;
  /** How, where that is neither a lost lease nor a start that failed for a reason that the process names. */
  readonly unexpectedEnds: string[] = [];
  /** Lines of its log that name a bug. */
  readonly bugLines: string[] = [];
  readonly #options: ReplicaOptions;
  #env: Readonly<Record<string, string>> = {};
  #child: ChildProcess;
  /** Starts in a row that failed. */
  #failedStarts = 0;
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

  /** Of the process that runs, or ran last. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
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
    if (!this.isRunning()) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  #start(): ChildProcess {
    const { command, env, logPath } = this.#options;
    const [program, ...args] = command;
    const child = spawn(program, args, { env: { ...env, ...this.#env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const life: Life = { hasStarted: false, hasStartError: false, hasLostLeadership: false };
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        appendFileSync(logPath, `${line}\n`);
        this.#note(line, life);
      });
    // Once all that it printed is read.
    child.once('close', (code, signal) => {
      this.#judgeEnd(life, signal ?? `code ${code}`);
      void this.#replace();
    });
    return child;
  }

  #note(line: string, life: Life): void {
    if (line.includes('became the leader')) this.#isLeader = true;
    if (line.includes('lost leadership')) life.hasLostLeadership = true;
    if (/"(?:msg|message)":"started"/.test(line)) {
      life.hasStarted = true;
      this.#failedStarts = 0;
    }
    if (line.startsWith('karpenter: ')) life.hasStartError = true;
    if (isBugLine(line)) this.bugLines.push(line);
  }

  #judgeEnd({ hasStarted, hasStartError, hasLostLeadership }: Life, how: string): void {
    if (this.#isKilled || this.#isDisposed) return;
    const isFailedStart = !hasStarted && hasStartError;
    if (isFailedStart) this.#failedStarts += 1;
    if (this.#failedStarts > MOST_FAILED_STARTS)
      this.unexpectedEnds.push(`replica ${this.name} did not start, ${this.#failedStarts} times`);
    const isExpected = how === 'code 1' && (hasLostLeadership || isFailedStart);
    if (!isExpected) this.unexpectedEnds.push(`replica ${this.name} ended by itself with ${how}`);
  }

  async #replace(): Promise<void> {
    this.#isLeader = false;
    if (!this.#isKilled && !this.#isDisposed) this.ends += 1;
    this.#isKilled = false;
    await pause(RESTART_AFTER_MS);
    if (!this.#isDisposed) this.#child = this.#start();
  }
}

/** Watches replicas from now on. Returns what they did that no fault explains: bugs that they contained, and ends. */
export const watchReplicas = (replicas: readonly Replica[]): (() => readonly string[]) => {
  const before = replicas.map(({ bugLines, unexpectedEnds }) => ({ bugs: bugLines.length, ends: unexpectedEnds.length }));
  return () =>
    replicas.flatMap(({ name, bugLines, unexpectedEnds }, index) => [
      ...bugLines.slice(before[index]?.bugs).map((line) => `replica ${name} met a bug: ${line.slice(0, 500)}`),
      ...unexpectedEnds.slice(before[index]?.ends),
    ]);
};
