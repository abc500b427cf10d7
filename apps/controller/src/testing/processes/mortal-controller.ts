import { setTimeout } from 'node:timers/promises';
import type { Bundle } from './bundle.ts';
import { type ControllerProcess, startControllerProcess } from './controller-process.ts';
import type { Moment } from './kill-plan.ts';
import type { TestCluster } from '../clusters/test-cluster.ts';

const LEASE = { namespace: 'kube-system', name: 'karpenter-leader-election' };
/** A moment that does not come (no more such requests) is not waited for longer than this. */
const LONGEST_LIFE_MS = 3000;

const waitUntil = async ({ arm }: TestCluster, moment: Moment): Promise<void> => {
  if (moment.kind === 'after') {
    await setTimeout(moment.ms);
    return;
  }
  const seen = arm.requests.count(moment.operation);
  const endMs = performance.now() + LONGEST_LIFE_MS;
  while (arm.requests.count(moment.operation) < seen + moment.count && performance.now() < endMs) await setTimeout(1);
};

/** A controller process that is killed again and again, and each time followed by another. */
export class MortalController implements AsyncDisposable {
  readonly #cluster: TestCluster;
  readonly #bundle: Bundle;
  #life: ControllerProcess | undefined;
  kills = 0;

  constructor(cluster: TestCluster, bundle: Bundle) {
    this.#cluster = cluster;
    this.#bundle = bundle;
  }

  get log(): readonly string[] {
    return this.#life?.log ?? [];
  }

  async start(): Promise<void> {
    const args = ['--batch-idle-duration=200ms', '--batch-max-duration=1s'];
    this.#life = startControllerProcess({ bundle: this.#bundle, env: this.#cluster.environment(), args });
    await this.#life.said('became the leader');
  }

  /** `kill -9` when the moment has come. The lease of the dead is taken away, as if its fifteen seconds had passed. */
  async dieAt(moment: Moment): Promise<void> {
    await waitUntil(this.#cluster, moment);
    const end = await this.#life?.kill('SIGKILL');
    if (end?.signal !== 'SIGKILL')
      throw new Error(`the controller ended by itself: ${JSON.stringify(end)} ${this.log.slice(-5).join('\n')}`);
    this.kills += 1;
    this.#cluster.local.delete('Lease', LEASE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#life?.kill('SIGKILL');
  }
}
