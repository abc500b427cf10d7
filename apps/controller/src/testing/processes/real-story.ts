import { readFileSync } from 'node:fs';
import type { Node, NodeClaim, Pod } from '@karpenter/core';
import type { KubeObject, ResourceKind } from '@karpenter/runtime';
import { type RealCluster, startRealCluster } from '@karpenter/simulator/real-cluster';
import { speedOptions } from '@karpenter/simulator';
import { type Bundle, copiedBundle } from './bundle.ts';
import { type Census, isRunning } from '../clusters/cluster-census.ts';
import { type ControllerProcess, startControllerProcess } from './controller-process.ts';
import { eventually } from '../eventually.ts';
import { hollowKubelet } from './control-plane.ts';
import { runProgram } from './run-program.ts';
import { crds } from '../clusters/test-cluster.ts';

/** Azure answers so many times as fast as the real one; everything else takes its time. */
const SPEED = 10;
const PATIENCE_MS = 180_000;

const run = runProgram();

const nodeClasses: ResourceKind = {
  ...{ group: 'karpenter.azure.com', version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses', namespaced: false },
};

interface RealStoryOptions {
  /** Gates of Kubernetes that are on beside those that it turns on itself. */
  readonly featureGates?: readonly string[];
  /** Paths of definitions beside those of the chart. */
  readonly moreCrds?: readonly string[];
  /** Of the controller, beside those by which it finds its cluster and its Azure. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The nodes have the simulator's kubelets, where those of Kubernetes were built too. */
  readonly hasSimulatedKubelets?: boolean;
}

type StartController = () => Promise<ControllerProcess>;

interface StoryProcesses {
  readonly cluster: RealCluster;
  readonly controller: ControllerProcess;
  readonly startController: StartController;
}

/** The bundled controller in a process of its own, over the programs of a real control plane. */
export class RealStory implements AsyncDisposable {
  readonly cluster: RealCluster;
  readonly #startController: StartController;
  readonly #parts: AsyncDisposableStack;
  #controller: ControllerProcess;

  private constructor({ cluster, controller, startController }: StoryProcesses, parts: AsyncDisposableStack) {
    this.cluster = cluster;
    this.#controller = controller;
    this.#startController = startController;
    this.#parts = parts;
  }

  static async start(assets: string, options: RealStoryOptions = {}): Promise<RealStory> {
    const { featureGates = [], moreCrds = [], variables = {}, hasSimulatedKubelets = false } = options;
    await using parts = new AsyncDisposableStack();
    const bundle: Bundle = parts.use(copiedBundle());
    const manifests = [...crds, ...moreCrds].map((path) => readFileSync(path, 'utf8'));
    const { azure } = speedOptions(SPEED);
    const cluster = parts.use(
      await startRealCluster({
        ...{ assets, crds: manifests, kinds: [nodeClasses], azure, featureGates },
        hollowKubelet: hasSimulatedKubelets ? undefined : hollowKubelet,
      }),
    );
    const controllers = parts.use(new AsyncDisposableStack());
    const startController: StartController = async () => {
      const started = controllers.use(startControllerProcess({ bundle, env: { ...cluster.environment(), ...variables } }));
      await started.said('became the leader');
      return started;
    };
    return new RealStory({ cluster, controller: await startController(), startController }, parts.move());
  }

  /** The process that runs now. */
  get controller(): ControllerProcess {
    return this.#controller;
  }

  /** `kill -9` of the controller, and another one. The lease is taken away, as if its fifteen seconds had passed. */
  async restart(): Promise<void> {
    await this.#controller.kill('SIGKILL');
    await this.kubectl('delete', 'lease', 'karpenter-leader-election', '--namespace', 'kube-system');
    this.#controller = await this.#startController();
  }

  async create(object: KubeObject): Promise<void> {
    await this.cluster.client.create(object.kind, object);
  }

  /** What kubectl prints of the cluster, blanks made one. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const shown = await run('kubectl', ['--kubeconfig', this.cluster.kubeconfigPath, ...args]);
    return shown.replaceAll(/[ \t]+/g, ' ');
  }

  /** Gives kubectl an object of any kind to apply. */
  async apply(object: KubeObject, ...options: readonly string[]): Promise<void> {
    await run('kubectl', ['--kubeconfig', this.cluster.kubeconfigPath, 'apply', '-f', '-', ...options], JSON.stringify(object));
  }

  /** Waits until the answer of kubectl has such a text. */
  shows(text: RegExp, ...args: readonly string[]): Promise<void> {
    let shown = '';
    const isShown = async (): Promise<boolean> => {
      shown = await this.kubectl(...args);
      return text.test(shown);
    };
    const what = `kubectl ${args.join(' ')} shows ${text.source}`;
    return eventually(what, isShown, { withinMs: PATIENCE_MS, instead: () => `, but\n${shown}` });
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.cluster.client.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
  }

  async pods(app: string): Promise<readonly (Pod & KubeObject)[]> {
    return (await this.cluster.client.list<Pod & KubeObject>('Pod', { namespace: 'default', labelSelector: `app=${app}` })).items;
  }

  async running(app: string): Promise<readonly (Pod & KubeObject)[]> {
    return (await this.pods(app)).filter(isRunning);
  }

  async nodes(): Promise<readonly (Node & KubeObject)[]> {
    return (await this.cluster.client.list<Node & KubeObject>('Node')).items;
  }

  /** How many machines each side counts. */
  async machines(): Promise<Omit<Census, 'running'>> {
    const { client, arm } = this.cluster;
    const claims = await client.list<NodeClaim & KubeObject>('NodeClaim');
    const nodes = await this.nodes();
    return {
      ...{ claims: claims.items.length, nodes: nodes.length },
      ...{ vms: arm.vms().length, nics: arm.nics().length, disks: arm.disks().length },
    };
  }

  /** Reasons and messages of events about objects of a kind. */
  async reported(kind: string): Promise<readonly string[]> {
    const events = await this.cluster.client.list<
      KubeObject & { readonly involvedObject: { kind: string }; reason: string; message: string }
    >('Event');
    return events.items.filter(({ involvedObject }) => involvedObject.kind === kind).map(({ reason, message }) => `${reason}: ${message}`);
  }

  /** Waits in real time; when it takes too long, the end of the log says what happened instead. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const instead = (): string => this.controller.log.slice(-15).join('\n');
    return eventually(what, isSo, { withinMs: PATIENCE_MS, instead });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}
