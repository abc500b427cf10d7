import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Node, NodeClaim, Pod } from '@karpenter/core';
import type { KubeObject, ResourceKind } from '@karpenter/runtime';
import { speedOptions } from '@karpenter/simulator';
import { type RealCluster, startRealCluster } from '@karpenter/simulator/real-cluster';
import type { Random } from '../bench/inputs/random.ts';
import { chartCrds } from '../chart-crds.ts';
import { chartEnvironment, chartFlags } from '../chart-process.ts';
import { type ApiGateway, startApiGateway } from './api-gateway.ts';
import { ALONE, firstObjects, SHARED } from './fault-workloads.ts';
import { MachineRecord } from './machine-record.ts';
import { Replica } from './replica.ts';

/** Azure answers so many times as fast as the real one; everything else takes its time. */
const SPEED = 10;
const SUPERVISE_EVERY_MS = 500;

const nodeClasses: ResourceKind = {
  ...{ group: 'karpenter.azure.com', version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses', namespaced: false },
};

export interface FaultClusterOptions {
  /** The folder of `etcd` and the control plane's programs. */
  readonly assets: string;
  /** The bundled controller. */
  readonly bundlePath: string;
  /** Where logs stay after the end. */
  readonly logs: string;
  readonly random: Random;
}

/** A real control plane with two replicas of the controller, each behind a gateway of its own, over an emulated Azure. */
export class FaultCluster implements AsyncDisposable {
  readonly real: RealCluster;
  readonly gateways: readonly ApiGateway[];
  readonly replicas: readonly Replica[];
  readonly machines: MachineRecord;
  readonly #parts: AsyncDisposableStack;
  readonly #supervision: Promise<void>;
  /** Programs that a fault keeps from running. */
  readonly #down = new Set<unknown>();
  #isDisposed = false;

  private constructor(
    real: RealCluster,
    sides: { gateways: readonly ApiGateway[]; replicas: readonly Replica[] },
    parts: AsyncDisposableStack,
  ) {
    this.real = real;
    this.gateways = sides.gateways;
    this.replicas = sides.replicas;
    this.#parts = parts;
    this.machines = parts.use(new MachineRecord(real.arm));
    this.#supervision = this.#supervise();
  }

  static async start({ assets, bundlePath, logs, random }: FaultClusterOptions): Promise<FaultCluster> {
    await using parts = new AsyncDisposableStack();
    mkdirSync(logs, { recursive: true });
    const crds = chartCrds().map((path) => readFileSync(path, 'utf8'));
    const real = parts.use(await startRealCluster({ assets, crds, kinds: [nodeClasses], azure: speedOptions(SPEED).azure }));
    const { folder, url } = real.programs;
    const upstream = {
      url,
      certificatePem: readFileSync(join(folder, 'apiserver.crt'), 'utf8'),
      keyPem: readFileSync(join(folder, 'apiserver.key'), 'utf8'),
    };
    for (const object of firstObjects) await real.client.create(object.kind, object as KubeObject);
    const [gateways, replicas]: [ApiGateway[], Replica[]] = [[], []];
    for (const name of ['a', 'b']) {
      const gateway = parts.use(await startApiGateway(upstream, random));
      const kubeconfig = join(folder, `${name}.kubeconfig`);
      writeFileSync(kubeconfig, readFileSync(real.kubeconfigPath, 'utf8').replaceAll(url, gateway.url), { mode: 0o600 });
      // Each pod has a volume of its own for marks.
      const ownFolder = join(folder, `${name}.tmp`);
      mkdirSync(ownFolder, { recursive: true });
      const ports = { METRICS_PORT: '0', HEALTH_PROBE_PORT: '0' };
      const env = { ...real.environment(), KUBECONFIG: kubeconfig, TMPDIR: ownFolder, ...ports, ...chartEnvironment };
      const command = [process.execPath, ...chartFlags, bundlePath] as const;
      gateways.push(gateway);
      replicas.push(parts.use(new Replica({ name, command, env, logPath: join(logs, `replica-${name}.log`) })));
    }
    return new FaultCluster(real, { gateways, replicas }, parts.move());
  }

  /** The replica that leads, once one does; its place is also that of its gateway. */
  async leader(): Promise<number> {
    for (;;) {
      const place = this.replicas.findIndex(({ isLeader }) => isLeader);
      if (place >= 0) return place;
      await pause(100);
    }
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.real.client.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
  }

  /** Makes all nodes of all pools drift. */
  async relabelPools(generation: string): Promise<void> {
    for (const name of [ALONE.pool, SHARED.pool]) {
      const body = { spec: { template: { metadata: { labels: { generation } } } } };
      await this.real.client.patch('NodePool', { name }, { type: 'merge', body });
    }
  }

  /** Deletes claims of pods that stand alone, and nodes of others, as an administrator does. */
  async removeMachines({ claims, nodes }: { readonly claims: number; readonly nodes: number }): Promise<void> {
    const isAlone = ({ metadata }: KubeObject): boolean => metadata.labels?.['karpenter.sh/nodepool'] === ALONE.pool;
    const removed = (await this.claims()).filter(isAlone).slice(0, claims);
    const ids = new Set(removed.map(({ status }) => status?.providerID));
    const others = (await this.nodes()).filter((node) => isAlone(node) && !ids.has(node.spec?.providerID)).slice(0, nodes);
    for (const { metadata } of removed) await this.real.client.delete('NodeClaim', { name: metadata.name });
    for (const { metadata } of others) await this.real.client.delete('Node', { name: metadata.name });
  }

  async pods(): Promise<readonly (Pod & KubeObject)[]> {
    return (await this.real.client.list<Pod & KubeObject>('Pod', { namespace: 'default' })).items;
  }

  async nodes(): Promise<readonly (Node & KubeObject)[]> {
    return (await this.real.client.list<Node & KubeObject>('Node')).items;
  }

  async claims(): Promise<readonly (NodeClaim & KubeObject)[]> {
    return (await this.real.client.list<NodeClaim & KubeObject>('NodeClaim')).items;
  }

  /** Keeps a program that ended from being started again until the result is disposed. */
  keepDown(program: unknown): Disposable {
    this.#down.add(program);
    return { [Symbol.dispose]: () => void this.#down.delete(program) };
  }

  /** Runs `undo` at the end, while all programs still run. */
  defer(undo: () => void): void {
    this.#parts.defer(undo);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#supervision;
    await this.#parts.disposeAsync();
  }

  /** Starts programs again that ended, as the kubelet of a control plane does. */
  async #supervise(): Promise<void> {
    const { etcd, apiServer, controllerManager, scheduler } = this.real.programs;
    while (!this.#isDisposed) {
      for (const program of [etcd, apiServer, controllerManager, scheduler]) {
        if (!program.isRunning() && !this.#down.has(program)) await program.restart();
      }
      await pause(SUPERVISE_EVERY_MS);
    }
  }
}
