import { kubeTime } from '@karpenter/runtime';
import type { Clock, TimerHandle } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { conditionIn } from '../objects/conditions.ts';
import type { NodeLease } from '../objects/node.ts';
import { leases, nodes } from '../objects/node.ts';
import type { PodObject } from '../objects/pod.ts';
import { publishDevices } from './device-slices.ts';
import { registerDrivers } from './csi-node.ts';
import { DEFAULT_NODE_IP, isRunningDevicePlugin, type KubeletNode } from './kubelet-node.ts';
import type { KubeletDelays } from './kubelet-delays.ts';
import { kubeletStatus, NODE_LEASE_NAMESPACE, nodeLeaseSpec, nodeObject } from './node-object.ts';
import { PodResizer } from './pod-resizer.ts';
import { createPodRunner } from './pod-runner.ts';
import type { PodRunner } from './pod-runner.ts';

/** The agent of one node. */
export interface Kubelet extends Disposable {
  readonly nodeName: string;
  see(pod: PodObject): void;
  forget(podKey: string): void;
  /** Renews the lease, and the node's status when it was changed from outside. */
  beat(): void;
}

export interface KubeletOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly machine: KubeletNode;
  readonly delays: KubeletDelays;
  readonly kubeletVersion: string;
  readonly nextPodIp: () => string;
}

class Agent implements Kubelet {
  readonly nodeName: string;
  readonly #options: KubeletOptions;
  readonly #runner: PodRunner;
  readonly #resizer: PodResizer;
  readonly #bound: PodObject[] = [];
  #isRegistered = false;
  #isReady = false;
  #hasDevicePlugin = false;
  #isStopped = false;
  #timer: TimerHandle;

  constructor(options: KubeletOptions) {
    const { api, clock, machine, delays, nextPodIp } = options;
    this.#options = options;
    this.nodeName = machine.name;
    this.#runner = createPodRunner({ api, clock, delays, nextPodIp, hostIp: machine.internalIp ?? DEFAULT_NODE_IP });
    this.#resizer = new PodResizer({ api, clock, nodeName: machine.name });
    this.#timer = clock.setTimeout(() => this.#register(), delays.registerMs);
  }

  see(pod: PodObject): void {
    if (this.#isReady) this.#follow(pod);
    else if (!this.#isStopped) this.#bound.push(pod);
  }

  #follow(pod: PodObject): void {
    this.#runner.see(pod);
    this.#resizer.see(pod);
    if (this.#hasDevicePlugin || !isRunningDevicePlugin(pod)) return;
    this.#hasDevicePlugin = true;
    this.#report();
  }

  forget(podKey: string): void {
    this.#runner.forget(podKey);
    this.#resizer.forget(podKey);
  }

  beat(): void {
    if (!this.#isRegistered) return;
    const { api, clock } = this.#options;
    const node = api.get(nodes, { name: this.nodeName });
    if (node === undefined) return;
    const lease = api.get(leases, { namespace: NODE_LEASE_NAMESPACE, name: this.nodeName });
    const spec = nodeLeaseSpec(this.nodeName, clock);
    if (lease === undefined) this.#createLease(spec, node.metadata.uid ?? '');
    else api.update({ ...lease, spec });
    const ready = conditionIn(node.status?.conditions, 'Ready');
    if (ready?.status !== (this.#isReady ? 'True' : 'False')) this.#report();
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#isRegistered = false;
    this.#timer.cancel();
    this.#runner.stop();
    this.#resizer.stop();
    this.#bound.length = 0;
  }

  #createLease(spec: NodeLease['spec'], uid: string): void {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: this.nodeName, uid }];
    const metadata = { namespace: NODE_LEASE_NAMESPACE, name: this.nodeName, ownerReferences };
    this.#options.api.create<NodeLease>({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  }

  /** A node object that is there already (a reboot, a name used again) is taken over unchanged. */
  #register(): void {
    const { api, clock, machine, delays } = this.#options;
    if (api.get(nodes, { name: machine.name }) === undefined) api.create(nodeObject(machine));
    this.#isRegistered = true;
    this.#report();
    this.beat();
    if (machine.isNeverReady !== true) this.#timer = clock.setTimeout(() => this.#becomeReady(), delays.readyMs);
  }

  #becomeReady(): void {
    registerDrivers(this.#options.api, this.#options.machine);
    this.#isReady = true;
    this.#report();
    this.#startDeviceDrivers();
    for (const pod of this.#bound.splice(0)) this.#follow(pod);
  }

  #startDeviceDrivers(): void {
    const { api, clock, machine } = this.#options;
    const { resources, afterMs = Infinity } = machine.devices ?? {};
    if (resources === undefined || afterMs === Infinity) return;
    this.#timer = clock.setTimeout(() => publishDevices(api, { nodeName: this.nodeName, resources }), afterMs);
  }

  #report(): void {
    const { api, clock, machine, kubeletVersion } = this.#options;
    const node = api.get(nodes, { name: machine.name });
    if (node === undefined) return;
    const report = { isReady: this.#isReady, hasDevicePlugin: this.#hasDevicePlugin, now: kubeTime(clock.now()) };
    api.updateStatus({ ...node, status: kubeletStatus(machine, { ...report, kubeletVersion, before: node.status }) });
  }
}

/**
 * Starts a kubelet: it registers its node, becomes Ready, renews its lease when `beat` is called, runs the pods it
 * sees, and stops with its machine when disposed.
 */
export const startKubelet = (options: KubeletOptions): Kubelet => new Agent(options);
