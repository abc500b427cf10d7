import { inspect } from 'node:util';
import { type CloudProvider, defaultSchedulingPolicy, type Node, type NodeClaim, type NodePool, type Pod } from '@karpenter/core';
import { createKarpenter, followKinds, type KarpenterOptions, type Metrics } from '@karpenter/core/controllers';
import type { Decision, TopologySpreadConstraint } from '@karpenter/core/internal';
import {
  type Clock,
  createEventRecorder,
  createManager,
  type FakeClock,
  type KubeClient,
  type KubeObject,
  type LogFields,
  type Logger,
  serverClock,
} from '@karpenter/runtime';
import { simulatedFailures } from '@karpenter/simulator';
import type { ApiServer, LocalApi } from '@karpenter/api-server';
import type { SimulatedCloudProvider, SimulatedInstanceType } from '@karpenter/simulator';
import { KarpenterProcess } from './karpenter-process.ts';
import type { CrashSide } from './karpenter-process.ts';
import { startWorld } from './world.ts';
import type { StoryWorld } from './world.ts';

const unmeasured: Metrics = {
  counter: () => ({ increment: () => undefined }),
  gauge: () => ({ set: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
};

/** What is logged is not shown, but searched for secrets after each test (`tools/src/packages/searched-logs.ts`). */
const search = (message: string, fields?: LogFields): void =>
  void (globalThis as { readonly loggedByTest?: string[] }).loggedByTest?.push(inspect({ ...fields, message }, { depth: 8 }));
const searchedLogger: Logger = { debug: search, info: search, warn: search, error: search };

/** Between two steps of the clock, watches get this many turns of the event loop after the last request was answered. */
const TURNS = 12;
const MOST_TURNS = 300;
const STEP_MS = 250;
/** Between the crash of a process and the start of the next. */
const RESTART_MS = 2_000;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Where a process dies: at the n-th write (from 1) of a name, counted from when the point was set. */
export interface CrashPoint {
  readonly write: string;
  readonly nth: number;
  readonly side: CrashSide;
}

/** Wraps what Karpenter sees of the API server and of the cloud, so that a story can distort it. */
export interface Interceptors {
  readonly kube: (kube: KubeClient) => KubeClient;
  readonly cloud: (provider: CloudProvider) => CloudProvider;
}

/** A cluster on a fake clock with Karpenter in it, over real HTTP. */
export class StoryCluster implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly kube: KubeClient;
  readonly cloud: SimulatedCloudProvider;
  readonly faults: ApiServer['faults'];
  /** Everything that Karpenter decided, in order, over all its processes. */
  readonly decisions: Decision[] = [];
  /** Bugs that Karpenter contained, of one object or of all. One is enough for the story to fail at its end. */
  readonly bugs: string[] = [];
  /** The names of all writes of Karpenter, to the API or the cloud, in order, over all its processes. */
  readonly writes: string[] = [];
  /** Direct access to the API server: what an observer sees that shares nothing with Karpenter. */
  readonly local: LocalApi;
  /** Where kubectl and other clients find the API server. */
  readonly url: string;
  /** Apply from the next start on. By default they change nothing. */
  interceptors: Interceptors = { kube: (kube) => kube, cloud: (provider) => provider };
  /** Applies from the next start on. By default nothing is measured. */
  metrics: Metrics = unmeasured;
  /** Whether NodeOverlays count, whose definition must be installed; from the next start on. */
  followsOverlays = false;
  /** The clock of Karpenter's machine; from the next start on. By default that of the cluster. */
  machineClock: Clock;
  readonly #world: StoryWorld;
  readonly #options: KarpenterOptions;
  readonly #defaultSpread: readonly TopologySpreadConstraint[];
  #process: KarpenterProcess | undefined;
  #crash: (CrashPoint & { left: number }) | undefined;

  constructor(world: StoryWorld, options: KarpenterOptions, defaultSpread: readonly TopologySpreadConstraint[] = []) {
    ({ clock: this.clock, kube: this.kube, cloud: this.cloud } = world);
    this.machineClock = world.clock;
    ({ faults: this.faults, local: this.local, url: this.url } = world.api);
    this.#world = world;
    this.#options = options;
    this.#defaultSpread = defaultSpread;
  }

  /** Starts Karpenter. */
  start(): void {
    const { decisions, machineClock } = this;
    const clock = serverClock(machineClock);
    const current = new KarpenterProcess((write) => this.#crashSideAt(write));
    const noteDate = (): void => clock.noteDate(new Date(this.clock.now()).toUTCString());
    const kube = this.interceptors.kube(this.#world.connect((transport) => current.transport(transport), noteDate));
    const provider = current.provider(this.interceptors.cloud(this.cloud));
    const { caches, all } = followKinds({ client: kube, clock }, this.cloud.getSupportedNodeClasses(), {
      overlays: this.followsOverlays,
      buffers: true,
      rebalancePlans: true,
      podGroups: true,
      devices: true,
      podSelectors: this.#defaultSpread.length > 0,
    });
    const events = createEventRecorder({ client: kube, clock, logger: searchedLogger, component: 'karpenter', instance: 'story' });
    const onBug = (error: unknown, about: string): void => {
      if (!current.signal.aborted) this.bugs.push(`${about}: ${inspect(error)}`);
    };
    const karpenter = createKarpenter({
      ...{ kube, caches, clock, events, provider, metrics: this.metrics, logger: searchedLogger },
      policy: { ...defaultSchedulingPolicy, defaultSpread: this.#defaultSpread },
      options: this.#options,
      onBug,
      reporter: {
        report: (decision) => {
          if (!current.signal.aborted) decisions.push(decision);
        },
      },
    });
    const manager = createManager({
      clock: machineClock,
      logger: searchedLogger,
      caches: all,
      controllers: karpenter.controllers,
      singletons: [...karpenter.singletons, simulatedFailures(this.cloud, kube)],
      onFatal: onBug,
      onBug,
      shutdownDeadlineMs: 0,
    });
    this.#process = current;
    void manager.run(current.signal);
  }

  /** Karpenter's process dies, with everything that it remembers. */
  async kill(): Promise<void> {
    this.#process?.cut();
    this.#process = undefined;
    await this.pass(0);
  }

  /** Karpenter's process dies, and another starts. */
  restart(): void {
    this.#process?.cut();
    this.start();
  }

  /** Karpenter's process will die at this point, once, and another will start. */
  dieAt(point: CrashPoint): void {
    this.#crash = { ...point, left: point.nth };
  }

  /** Whether the crash that was set is still to come. */
  get isCrashPending(): boolean {
    return this.#crash !== undefined;
  }

  #crashSideAt(write: string): CrashSide | undefined {
    this.writes.push(write);
    const crash = this.#crash;
    if (crash?.write !== write) return undefined;
    crash.left -= 1;
    if (crash.left > 0) return undefined;
    this.#crash = undefined;
    this.clock.setTimeout(() => this.start(), RESTART_MS);
    return crash.side;
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    let left = ms;
    do {
      await this.clock.advance(Math.min(STEP_MS, left));
      await this.#settle();
      left -= STEP_MS;
    } while (left > 0);
  }

  async #settle(): Promise<void> {
    let quiet = 0;
    // A request that waits for the clock itself (a retry) never comes to rest here: it must not hold the clock.
    for (let turns = 0; quiet < TURNS && turns < MOST_TURNS; turns += 1) {
      await turn();
      quiet = this.#world.traffic.isQuiet ? quiet + 1 : 0;
    }
  }

  /** Lets time pass until something is so; says what is not when it takes too long. */
  async until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 600_000): Promise<void> {
    for (let left = withinMs; left > 0; left -= STEP_MS) {
      if (await isSo()) return;
      await this.pass(STEP_MS);
    }
    throw new Error(`after ${withinMs} ms it is still not so that ${what}`);
  }

  async create(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.kube.create(object.kind, object);
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.kube.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.kube.list<Pod & KubeObject>('Pod', { namespace: 'default' })).items;
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.kube.list<NodeClaim>('NodeClaim')).items;
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.kube.list<Node & KubeObject>('Node')).items;
  }

  async pool(name: string): Promise<NodePool | undefined> {
    return this.kube.get<NodePool>('NodePool', { name });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#world[Symbol.asyncDispose]();
    const [first] = this.bugs;
    if (first !== undefined) throw new Error(`Karpenter met ${this.bugs.length} bugs; the first: ${first}`);
  }
}

/** An empty cluster with a NodeClass, in which Karpenter does not run yet. */
export const aStoppedStoryCluster = async (
  options: KarpenterOptions = {},
  defaultSpread: readonly TopologySpreadConstraint[] = [],
  instanceTypes?: readonly SimulatedInstanceType[],
): Promise<StoryCluster> => {
  const story = new StoryCluster(await startWorld(defaultSpread, { instanceTypes }), options, defaultSpread);
  await story.create({ apiVersion: 'karpenter.simulated.test/v1', kind: 'SimulatedNodeClass', metadata: { name: 'default' } });
  return story;
};

/** Starts an empty cluster with a NodeClass, and Karpenter in it. Scheduler and Karpenter get the same default spread. */
export const aStoryCluster = async (
  options: KarpenterOptions = {},
  defaultSpread: readonly TopologySpreadConstraint[] = [],
  instanceTypes?: readonly SimulatedInstanceType[],
): Promise<StoryCluster> => {
  const story = await aStoppedStoryCluster(options, defaultSpread, instanceTypes);
  story.start();
  return story;
};
