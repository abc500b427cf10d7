import { inspect } from 'node:util';
import { azurePluginTrusting } from '@karpenter/azure';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { type ArmEmulatorOptions, EVERYDAY_SIZES, UNKIND_AZURE } from '@karpenter/azure-emulator';
import type { CloudProvider } from '@karpenter/core';
import type { ProviderPlugin } from '@karpenter/core/provider-kit';
import type { LogFields, Logger } from '@karpenter/runtime';
import { type AssembledController, assembleController } from '../../controller.ts';
import { readCommandLine } from '../../settings/command-line.ts';
import { type Census, censusOf } from '../clusters/cluster-census.ts';
import { type LeapingClock, leapingClock } from './leaping-clock.ts';
import { making, storyMode } from './provision-mode.ts';
import { tokenConnection } from '../clusters/token-connection.ts';
import { startTestCluster, type TestCluster } from '../clusters/test-cluster.ts';

const CHECK_EVERY_MS = 500;

interface Line extends LogFields {
  readonly message: string;
}

interface RecordedEvent extends ApiObject {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly source?: { readonly component?: string };
}

const events: KindRef<RecordedEvent> = { kind: 'Event', apiVersion: 'v1' };

/** Keeps the text for the search for secrets that follows each test. */
const keepForSearch = (text: string): void => void (globalThis as { readonly loggedByTest?: string[] }).loggedByTest?.push(text);

/** The name of an event is made of an object's and a hash, and looks like a bootstrap token where the object's has six letters. */
const unnamed = ({ metadata: { name: _, ...metadata } }: ApiObject): Omit<ApiObject['metadata'], 'name'> => metadata;

const loggingTo = (lines: Line[]): Logger => {
  const search = (message: string, fields?: LogFields): void => keepForSearch(inspect({ ...fields, message }, { depth: 8 }));
  const write = (message: string, fields?: LogFields): void => {
    lines.push({ ...fields, message });
    search(message, fields);
  };
  return { debug: search, info: write, warn: write, error: write };
};

/** The environment of the controller; by default the one that the cluster offers, whose owner may everything. */
type Environment = Readonly<Record<string, string>>;

/** Who hears what the controller logs, and of its bugs. */
interface Listeners {
  readonly lines: Line[];
  readonly onBug: (error: unknown) => void;
}

/** What a provider may state beside what Azure's states. */
type Knobs = Pick<CloudProvider, 'unsupportedVolumes'>;

const withKnobs = (plugin: ProviderPlugin, knobs: Knobs): ProviderPlugin => ({
  ...plugin,
  configure: (given) => {
    const configured = plugin.configure(given);
    if (!configured.ok) return configured;
    return {
      ...configured,
      create: (context) => {
        const parts = configured.create(context);
        return { ...parts, provider: Object.assign(parts.provider, knobs) };
      },
    };
  },
});

/** What one controller is started with. */
interface Start {
  readonly variables: Environment;
  readonly knobs: Knobs;
}

const assemble = async (cluster: TestCluster, { variables, knobs }: Start, { lines, onBug }: Listeners): Promise<AssembledController> => {
  const azure = withKnobs(azurePluginTrusting(cluster.arm.caPem), knobs);
  const read = await readCommandLine(['--disable-leader-election=true'], variables, () => Promise.resolve(azure));
  if (read.kind !== 'run') throw new Error(`the cluster's environment is refused: ${JSON.stringify(read)}`);
  return assembleController({
    connection: tokenConnection(read.settings.kubeconfig),
    settings: read.settings,
    defaultSpread: read.defaultSpread,
    plugin: read.plugin,
    clock: cluster.clock,
    logger: loggingTo(lines),
    onFatal: onBug,
    onBug,
  });
};

/**
 * A cluster with an Azure and the whole controller, all in this process and on one clock that leaps over what they wait
 * for.
 */
export class Story implements AsyncDisposable {
  readonly cluster: TestCluster;
  /** What the controller has logged. */
  readonly lines: Line[] = [];
  readonly #clock: LeapingClock;
  readonly #knobs: Knobs;
  readonly #bugs: unknown[] = [];
  #variables: Environment;
  #end = new AbortController();
  #run: Promise<unknown> = Promise.resolve();
  #controller: AssembledController | undefined;

  constructor(cluster: TestCluster, clock: LeapingClock, knobs: Knobs = {}) {
    this.cluster = cluster;
    this.#clock = clock;
    this.#knobs = knobs;
    this.#variables = cluster.environment();
  }

  /** Errors that the controller threw because of its own bugs. */
  get bugs(): readonly unknown[] {
    return this.#bugs;
  }

  async start(variables: Environment = this.#variables): Promise<void> {
    this.#variables = variables;
    const onBug = (error: unknown): void => void this.#bugs.push(error);
    const controller = await assemble(this.cluster, { variables, knobs: this.#knobs }, { lines: this.lines, onBug });
    this.#controller = controller;
    await controller.start(this.#end.signal);
    this.#run = this.#running(controller);
  }

  async #running(controller: AssembledController): Promise<void> {
    try {
      await controller.manager.run(this.#end.signal);
    } finally {
      await controller.close();
    }
  }

  /** Ends the controller; the cluster and its Azure go on. */
  async stop(): Promise<void> {
    await this.#keepShown();
    this.#end.abort();
    await this.#run;
    this.#end = new AbortController();
  }

  /** Ends the controller and starts another in the same environment, which remembers nothing. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  create(...objects: readonly ApiObject[]): void {
    for (const object of objects) this.cluster.local.create(object);
  }

  scale(name: string, replicas: number): void {
    this.cluster.local.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
  }

  census(): Census {
    return censusOf(this.cluster);
  }

  /** Checks every half second until it is so; `within` so many minutes. All of it in the cluster's own time. */
  async until(what: string, isSo: () => boolean, { within = 8 } = {}): Promise<void> {
    const untilMs = this.#clock.now() + within * 60_000;
    while (!this.#withoutBugs(isSo)) {
      if (this.#clock.now() > untilMs) throw new Error(`after ${within} minutes it is still not so that ${what}: ${this.#instead()}`);
      await this.#clock.sleep(CHECK_EVERY_MS);
    }
  }

  /** Lets the cluster's own time pass: for what must not happen. */
  pass(ms: number): Promise<void> {
    return this.#clock.sleep(ms);
  }

  logged(message: string): readonly Line[] {
    return this.lines.filter((line) => line.message === message);
  }

  /** Messages of Karpenter's own events about a kind of object. */
  reported(kind: string, reason: string): readonly string[] {
    const own = this.cluster.local.list(events).filter(({ source }) => source?.component === 'karpenter');
    return own.filter((event) => event.involvedObject.kind === kind && event.reason === reason).map(({ message }) => message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keepShown();
    this.#end.abort();
    await this.#run;
    await this.cluster.stop();
    await this.#clock.stop();
  }

  /** What others may read of the controller: its metrics, and its events. */
  async #keepShown(): Promise<void> {
    for (const line of (await this.#controller?.registry.metrics())?.split('\n') ?? []) keepForSearch(line);
    for (const event of this.cluster.local.list(events)) keepForSearch(JSON.stringify({ ...event, metadata: unnamed(event) }));
  }

  #withoutBugs(isSo: () => boolean): boolean {
    if (this.#bugs.length > 0) throw new Error('the controller has a bug', { cause: this.#bugs[0] });
    return isSo();
  }

  /** What is there, and what the controller said last. */
  #instead(): string {
    const said = this.lines.slice(-12).map((line) => JSON.stringify(line));
    return [JSON.stringify(this.census()), ...said].join('\n');
  }
}

interface StoryOptions extends Partial<Omit<ArmEmulatorOptions, 'clock'>> {
  /** The environment of the controller; by default the one that the cluster offers, in the mode of the run. */
  readonly variables?: (cluster: TestCluster) => Environment;
  readonly knobs?: Knobs;
  /** Epoch ms at which the clock begins; the machine's by default. */
  readonly startMs?: number;
  /** False: the story starts the controller itself. */
  readonly isStarted?: boolean;
}

/** What a story's Azure offers: some sizes of every sort, or all 1,293 (`pnpm stories:modes`). */
const sizes = process.env['STORY_SIZES'] === 'all' ? 'all' : EVERYDAY_SIZES;

/** Azure as it really answers: with all that surprises clients, unless a story says otherwise. */
const unkind = (azure: Partial<ArmEmulatorOptions>): Partial<ArmEmulatorOptions> => ({
  ...UNKIND_AZURE,
  sizes,
  ...azure,
  latencies: { ...UNKIND_AZURE.latencies, ...azure.latencies },
});

/** Starts an empty cluster and the controller in it. */
export const startStory = (...objects: readonly ApiObject[]): Promise<Story> => startStoryIn({}, ...objects);

/** The same with an Azure of its own. What fails to start leaves nothing running. */
export const startStoryIn = async (
  { variables = making(storyMode.name), knobs, startMs, isStarted = true, ...azure }: StoryOptions,
  ...objects: readonly ApiObject[]
): Promise<Story> => {
  await using started = new AsyncDisposableStack();
  const clock = leapingClock(startMs);
  started.defer(() => clock.stop());
  const cluster = await startTestCluster({ clock, azure: { pollAfterSeconds: 0, ...unkind(azure) } });
  const story = started.use(new Story(cluster, clock, knobs));
  story.create(...objects);
  if (isStarted) await story.start(variables(story.cluster));
  started.move();
  return story;
};
