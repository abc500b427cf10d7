import { nodeClaimCrd, nodePoolCrd } from '@karpenter/core/internal';
import { SIMULATED_NODE_CLASS_CRD, simulatedNodeClassKind } from '@karpenter/simulator';
import type { ApiServer, KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import { realisticHomes } from '../inputs/realistic-pod.ts';
import type { Answers } from '../controller/rpc.ts';
import { simulatedPool } from '../inputs/simulated-pool.ts';
import { settledMachines } from './settled-machines.ts';
import type { Settled } from './settled-machines.ts';
import { settledPod } from './settled-pod.ts';

const podKind: KindRef<ApiObject> = { kind: 'Pod', apiVersion: 'v1' };
const { group, version, kind } = simulatedNodeClassKind;

/** A pool whose nodes are evaluated again and again without result: they are full, and of the cheapest size. */
const pool = simulatedPool([], { consolidateAfter: '30s', budgets: [{ nodes: '10%' }] });

const nodeClass = {
  ...{ apiVersion: `${group}/${version}`, kind, metadata: { name: 'default' } },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-05-01T00:00:00Z' }] },
} as Settled;

/** As many pods on each node as there is room for. */
export const PODS_ON_NODE = 20;

const put = (api: LocalApi, object: Settled): void => {
  api.create(object);
  api.updateStatus(object);
};

/**
 * A cluster whose machines are all up and full, without kubelets and without a scheduler: pods and nodes come and go
 * only as its methods say. A node that the controller drains is empty by then.
 */
export class SettledCluster {
  readonly #api: LocalApi;
  readonly #machines = settledMachines();
  /** Node → the numbers of its pods, oldest first, both. */
  readonly #nodes = new Map<number, number[]>();
  #lastNode = 0;
  #lastPod = 0;

  constructor(server: ApiServer) {
    const { local } = server;
    this.#api = local;
    server.installCrds(...[nodePoolCrd, nodeClaimCrd].map((crd) => JSON.stringify(crd)), SIMULATED_NODE_CLASS_CRD);
    for (const name of new Set(realisticHomes.map(({ namespace }) => namespace))) {
      local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    for (const { namespace, serviceAccount } of realisticHomes) {
      local.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccount, namespace } });
    }
    local.create<ApiObject & { readonly value: number }>({
      ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'production' } },
      value: 1000,
    });
    put(local, nodeClass);
    local.create(pool);
  }

  /** The cloud that the machines are in: it sells no more, and lets go of what is deleted at once. */
  get cloud(): Answers {
    return this.#machines.answers;
  }

  addNodes(count: number): void {
    for (let left = count; left > 0; left -= 1) this.#addNode();
  }

  /** Fills every node. */
  fillNodes(): void {
    for (const node of this.#nodes.keys()) this.#fill(node);
  }

  /** The oldest pods end, and as many others start on their nodes. */
  replacePods(count: number): void {
    for (const [node, pods] of [...this.#nodes].slice(0, count)) {
      this.#end(pods.shift());
      this.#fill(node);
      this.#moveToEnd(node);
    }
  }

  /** The oldest nodes go, their pods first, and as many others come, with as many pods. */
  replaceNodes(count: number): void {
    for (const [node, pods] of [...this.#nodes].slice(0, count)) {
      for (const pod of pods) this.#end(pod);
      this.#nodes.delete(node);
      this.#api.delete({ kind: 'NodeClaim', apiVersion: 'karpenter.sh/v1' }, { name: this.#machines.nameAt(node) });
      this.#fill(this.#addNode());
    }
  }

  #addNode(): number {
    const node = (this.#lastNode += 1);
    this.#nodes.set(node, []);
    for (const object of this.#machines.start(node)) put(this.#api, object);
    return node;
  }

  #fill(node: number): void {
    const pods = this.#nodes.get(node) ?? [];
    while (pods.length < PODS_ON_NODE) {
      pods.push((this.#lastPod += 1));
      put(this.#api, settledPod(this.#lastPod, this.#machines.nameAt(node)));
    }
  }

  #end(pod: number | undefined): void {
    if (pod === undefined) return;
    const { name = '', namespace = '' } = settledPod(pod, '').metadata;
    this.#api.delete(podKind, { name, namespace }, { gracePeriodSeconds: 0 });
  }

  #moveToEnd(node: number): void {
    const pods = this.#nodes.get(node) ?? [];
    this.#nodes.delete(node);
    this.#nodes.set(node, pods);
  }
}
