import { kubeTime } from '@karpenter/runtime';
import type { Clock, KubeClient, KubeObject, TimerHandle } from '@karpenter/runtime';
import { type KubeletHost, podIps } from '../cluster/kubelet/kubelet-host.ts';
import type { KubeletNode } from '../cluster/kubelet/kubelet-node.ts';
import { DEFAULT_KUBELET_DELAYS } from '../cluster/kubelet/kubelet-delays.ts';
import { type CloudView, initializedNode, isLost, isUninitialized } from '../cluster/nodes/cloud-view.ts';
import { type ScheduledEvent, withScheduledEvent } from '../cluster/nodes/node-problem-detector.ts';
import type { NodeObject } from '../cluster/objects/node.ts';
import type { PodObject } from '../cluster/objects/pod.ts';
import { RemoteKubelet } from './remote-kubelet.ts';

const STEP_MS = 1_000;

/** Kubelets and the cloud's own controller for an API server in another process. */
export interface RemoteNodes extends KubeletHost {
  /** Answers for machines. Before this call no node is initialized and none is deleted. */
  watchOver(cloud: CloudView): void;
  handleScheduledEvent(event: ScheduledEvent): void;
  /** What could not be done, with its cause; the next step tries again. */
  readonly troubles: readonly unknown[];
}

type StoredNode = NodeObject & KubeObject;
type StoredPod = PodObject & KubeObject;

class Nodes implements RemoteNodes {
  readonly troubles: unknown[] = [];
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #kubelets = new Map<string, RemoteKubelet>();
  readonly #events: ScheduledEvent[] = [];
  readonly #nextPodIp = podIps();
  #cloud: CloudView | undefined;
  #timer: TimerHandle;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#timer = this.#later();
  }

  start(machine: KubeletNode): Disposable {
    const parts = { client: this.#client, clock: this.#clock, delays: DEFAULT_KUBELET_DELAYS, nextPodIp: this.#nextPodIp };
    const kubelet = new RemoteKubelet(machine, parts);
    this.#kubelets.set(machine.name, kubelet);
    const unplug = (): void => {
      if (this.#kubelets.get(machine.name) === kubelet) this.#kubelets.delete(machine.name);
    };
    return { [Symbol.dispose]: unplug };
  }

  watchOver(cloud: CloudView): void {
    this.#cloud = cloud;
  }

  handleScheduledEvent(event: ScheduledEvent): void {
    this.#events.push(event);
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    this.#kubelets.clear();
  }

  #later(): TimerHandle {
    return this.#clock.setTimeout(() => {
      void this.#step()
        .catch((error: unknown) => this.troubles.push(error))
        .then(() => (this.#timer = this.#later()));
    }, STEP_MS);
  }

  async #step(): Promise<void> {
    const byNode = Map.groupBy((await this.#client.list<StoredPod>('Pod')).items, ({ spec }) => spec.nodeName ?? '');
    const steps = [...this.#kubelets].map(([name, kubelet]) => kubelet.step(byNode.get(name) ?? []));
    await Promise.all([...steps, this.#lookAfterNodes(), this.#reportEvents()]);
  }

  async #lookAfterNodes(): Promise<void> {
    const cloud = this.#cloud;
    if (cloud === undefined) return;
    for (const node of (await this.#client.list<StoredNode>('Node')).items) {
      const { name } = node.metadata;
      const machine = isUninitialized(node) ? cloud.machineOf(name) : undefined;
      if (machine !== undefined) await this.#client.update('Node', initializedNode(node, machine) as StoredNode);
      else if (isLost(node, cloud, this.#clock.now())) await this.#client.delete('Node', { name });
    }
  }

  async #reportEvents(): Promise<void> {
    for (const event of this.#events.splice(0)) {
      const node = await this.#client.get<StoredNode>('Node', { name: event.nodeName });
      if (node === undefined) continue;
      const conditions = withScheduledEvent(node.status?.conditions, event, kubeTime(this.#clock.now()));
      await this.#client.patchStatus('Node', { name: event.nodeName }, { type: 'strategic', body: { status: { conditions } } });
    }
  }
}

/** Starts them; once a second they list all pods and nodes, which is meant for clusters of tens of nodes. */
export const startRemoteNodes = (client: KubeClient, clock: Clock): RemoteNodes => new Nodes(client, clock);
