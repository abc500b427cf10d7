import { type Clock, KubeError, type KubeClient, type KubeObject, kubeTime } from '@karpenter/runtime';
import { getOrMake } from '@karpenter/core/internal';
import { DEFAULT_KUBELET_VERSION, DEFAULT_NODE_IP, isRunningDevicePlugin, type KubeletNode } from '../cluster/kubelet/kubelet-node.ts';
import { DEFAULT_HEARTBEAT_MS, type KubeletDelays } from '../cluster/kubelet/kubelet-delays.ts';
import { kubeletStatus, NODE_LEASE_NAMESPACE, nodeLeaseSpec, nodeObject } from '../cluster/kubelet/node-object.ts';
import { runningStatus } from '../cluster/kubelet/pod-status.ts';
import { isResized, resizedStatus, resizeVerdict } from '../cluster/kubelet/resized-status.ts';
import type { NodeLease, NodeObject } from '../cluster/objects/node.ts';
import type { PodObject } from '../cluster/objects/pod.ts';

/** A kubelet sends its status so often, changed or not (`nodeStatusReportFrequency`). Others wait for that to try again. */
const REPORT_AGAIN_MS = 5 * 60_000;

export interface RemoteKubeletOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly delays: Pick<KubeletDelays, 'registerMs' | 'readyMs'>;
  readonly nextPodIp: () => string;
}

/** An object that a server has given: it has a name. */
type Stored<T> = T & KubeObject;

const unlessThere = (error: unknown): void => {
  if (!(error instanceof KubeError) || error.code !== 'already-exists') throw error;
};

/** The agent of one node, over HTTP. It does nothing by itself: `step` is called about once a second. */
export class RemoteKubelet {
  readonly #options: RemoteKubeletOptions;
  readonly #machine: KubeletNode;
  readonly #bootedAtMs: number;
  #phase: 'booting' | 'registered' | 'ready' = 'booting';
  #nextBeatMs = 0;
  #reportedAtMs = 0;
  #hasDevicePlugin = false;
  /** Something changed that the API server has not taken yet. */
  #isReportDue = false;
  /** UID of a running pod → the spec that it runs with. */
  readonly #granted = new Map<string, PodObject['spec']>();

  constructor(machine: KubeletNode, options: RemoteKubeletOptions) {
    this.#machine = machine;
    this.#options = options;
    this.#bootedAtMs = options.clock.now();
  }

  /**
   * Registers when it is time, becomes Ready when it is time, and renews its lease. Starts pods that were bound,
   * resizes those that run and ends those that are deleted.
   */
  async step(bound: readonly PodObject[]): Promise<void> {
    const { clock, delays } = this.#options;
    const ageMs = clock.now() - this.#bootedAtMs;
    if (this.#phase === 'booting' && ageMs >= delays.registerMs) await this.#register();
    if (this.#phase === 'booting') return;
    if (this.#phase === 'registered' && ageMs >= delays.registerMs + delays.readyMs) this.#becomeReady();
    this.#seeDevicePlugin(bound);
    if (this.#mustReport()) await this.#report();
    if (clock.now() >= this.#nextBeatMs) await this.#beat();
    if (this.#phase !== 'ready') return;
    for (const pod of bound) await this.#syncPod(pod);
    await this.#resize(bound.filter(({ status }) => status?.phase === 'Running'));
    this.#forgetGone(bound);
  }

  async #register(): Promise<void> {
    await this.#options.client.create('Node', nodeObject(this.#machine) as Stored<NodeObject>).catch(unlessThere);
    this.#phase = 'registered';
    this.#isReportDue = true;
  }

  #becomeReady(): void {
    this.#phase = 'ready';
    this.#isReportDue = true;
  }

  #mustReport(): boolean {
    return this.#isReportDue || this.#options.clock.now() >= this.#reportedAtMs + REPORT_AGAIN_MS;
  }

  #seeDevicePlugin(bound: readonly PodObject[]): void {
    if (this.#hasDevicePlugin || !bound.some(isRunningDevicePlugin)) return;
    this.#hasDevicePlugin = true;
    this.#isReportDue = true;
  }

  async #report(): Promise<void> {
    const { client } = this.#options;
    const node = await client.get<Stored<NodeObject>>('Node', { name: this.#machine.name });
    if (node === undefined) return;
    await this.#reportOn(node);
  }

  async #reportOn(node: Stored<NodeObject>): Promise<void> {
    const { client, clock } = this.#options;
    const report = {
      isReady: this.#phase === 'ready',
      hasDevicePlugin: this.#hasDevicePlugin,
      now: kubeTime(clock.now()),
      kubeletVersion: DEFAULT_KUBELET_VERSION,
      before: node.status,
    };
    await client.patchStatus(
      'Node',
      { name: node.metadata.name },
      { type: 'merge', body: { status: kubeletStatus(this.#machine, report) } },
    );
    this.#isReportDue = false;
    this.#reportedAtMs = clock.now();
  }

  /** Renews the lease, and the status where kube-controller-manager took the node for lost meanwhile. */
  async #beat(): Promise<void> {
    const { client, clock } = this.#options;
    this.#nextBeatMs = clock.now() + DEFAULT_HEARTBEAT_MS;
    const node = await client.get<Stored<NodeObject>>('Node', { name: this.#machine.name });
    if (node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown') === true) await this.#reportOn(node);
    const key = { namespace: NODE_LEASE_NAMESPACE, name: this.#machine.name };
    const spec = nodeLeaseSpec(key.name, clock);
    if ((await client.patch('Lease', key, { type: 'merge', body: { spec } })) !== undefined) return;
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec };
    await client.create('Lease', lease as Stored<NodeLease>).catch(unlessThere);
  }

  async #syncPod(pod: PodObject): Promise<void> {
    const { client, clock, nextPodIp } = this.#options;
    const { uid = '', namespace = 'default', name = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) await client.delete('Pod', { namespace, name }, { gracePeriodSeconds: 0 });
    else if (pod.status?.phase === 'Pending') {
      const now = kubeTime(clock.now());
      const started = runningStatus(pod, { now, hostIp: this.#machine.internalIp ?? DEFAULT_NODE_IP, podIp: nextPodIp() });
      // The API server refuses to resize a pod whose kubelet does not report what its containers run with.
      const status = resizedStatus({ ...pod, status: started }, pod.spec, { verdict: 'fits', now });
      // Somebody may resize it before the next step.
      this.#granted.set(uid, pod.spec);
      await client.patchStatus('Pod', { namespace, name }, { type: 'merge', body: { status } });
    }
  }

  #forgetGone(bound: readonly PodObject[]): void {
    const uids = new Set(bound.map(({ metadata }) => metadata.uid));
    for (const uid of this.#granted.keys()) if (!uids.has(uid)) this.#granted.delete(uid);
  }

  /** Judges each resize at each step, so that a deferred one is granted once there is room. */
  async #resize(running: readonly PodObject[]): Promise<void> {
    const { client, clock } = this.#options;
    for (const pod of running) {
      const { uid = '', namespace = 'default', name = '' } = pod.metadata;
      const before = getOrMake(this.#granted, uid, () => pod.spec);
      if (!isResized(pod, before)) continue;
      const verdict = resizeVerdict(pod, { others: running, allocatable: this.#machine.allocatable });
      if (verdict === 'fits') this.#granted.set(uid, pod.spec);
      const status = resizedStatus(pod, before, { verdict, now: kubeTime(clock.now()) });
      if (JSON.stringify(status) === JSON.stringify(pod.status)) continue;
      await client.patchStatus('Pod', { namespace, name }, { type: 'merge', body: { status } });
    }
  }
}
