import { kubeTime } from '@karpenter/runtime';
import {
  type CloudProvider,
  CloudProviderError,
  type CreateOptions,
  defaultLabelCatalog,
  type DeleteOutcome,
  type InstanceType,
  type LabelCatalog,
  type Machine,
  type NodeClaim,
} from '@karpenter/core';
import { getOrMake } from '@karpenter/core/internal';
import type { BatchPace, LateFailure, LaunchAnswer } from '@karpenter/core/internal';
import { batchedCreate, fedInterruptionOf } from '@karpenter/core/provider-kit';
import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import type { KubeletHost } from '../cluster/kubelet/kubelet-host.ts';
import type { CloudView } from '../cluster/nodes/cloud-view.ts';
import { CloudAnnouncements } from './cloud-announcements.ts';
import type { CloudFaults, LaunchFault, OfferingName } from './cloud-faults.ts';
import { createCloudFaults } from './cloud-faults.ts';
import { defaultInstanceTypes } from './default-instance-types.ts';
import { simulatedPurchasesFor } from './purchases-for.ts';
import type { SimulatedPurchase } from './purchases-for.ts';
import type { SimulatedInstanceType } from './simulated-instance-type.ts';
import { catalogEntry } from './simulated-instance-type.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import { asCloudMachine, asKubelet, asSimulatedMachine } from './simulated-machine.ts';
import type { SimulatedNodeClass } from './simulated-node-class.ts';
import { simulatedNodeClasses, simulatedNodeClassKind } from './simulated-node-class.ts';

type Tags = Readonly<Record<string, string>>;

/** How long the simulated cloud takes, in milliseconds of its clock. */
export interface CloudLatency {
  /** Until a launch is accepted. */
  readonly createMs: number;
  /** Until an accepted machine's kubelet starts. */
  readonly bootMs: number;
  readonly deleteMs: number;
}

export interface SimulatedCloudOptions {
  readonly local: LocalApi;
  readonly clock: Clock;
  readonly kubelets: KubeletHost;
  /** Default `defaultInstanceTypes`. */
  readonly instanceTypes?: readonly SimulatedInstanceType[] | undefined;
  readonly faults?: CloudFaults | undefined;
  readonly latency?: Partial<CloudLatency> | undefined;
  /** Claims that come together are launched by one call. Default: each by a call of its own. */
  readonly batch?: Omit<BatchPace, 'clock'> | undefined;
}

/** A cloud of machines in memory, for tests of everything above the provider and as the reference of the provider contract. */
export interface SimulatedCloudProvider extends CloudProvider {
  readonly faults: CloudFaults;
  /** What the cluster's cloud controller asks: give it to `EmbeddedCluster.addCloud`, or its nodes stay uninitialized. */
  readonly cloud: CloudView;
  /** What it announces of its machines' ends. */
  readonly announcements: CloudAnnouncements;
  /**
   * Launches that failed after they were accepted, until their machines are deleted. `simulatedFailures` reports them
   * to core.
   */
  readonly lateFailures: readonly LateFailure[];
  /** How many calls it took to launch what was launched. */
  readonly launchCalls: number;
  /** The tags of a claim's machine; undefined when it has none. */
  tagsOf(claimName: string): Tags | undefined;
  /** Gives a machine other tags while it runs; false when there is none. */
  retag(claimName: string, tags: Tags): boolean;
  /** From now on every call fails, until it is disposed. */
  outage(): Disposable;
  /** Ends a machine behind Karpenter's back, as an eviction or a person would. */
  loseMachine(providerId: string): void;
}

const DEFAULT_LATENCY: CloudLatency = { createMs: 1_000, bootMs: 5_000, deleteMs: 2_000 };
const DEFAULT_IMAGE = 'v1';
const OUT_OF_STOCK_MS = 180_000;
const MOST_LAUNCHES_A_CALL = 50;

const offeringKey = ({ instanceType, zone, capacityType }: OfferingName): string => `${instanceType}/${zone}/${capacityType}`;

const laterMsOf = (fault: LaunchFault | undefined): number | undefined =>
  fault?.kind === 'insufficient-capacity' || fault?.kind === 'failing' ? fault.laterMs : undefined;

const imageOf = ({ spec }: SimulatedNodeClass): string => spec?.image ?? DEFAULT_IMAGE;

class SimulatedCloud implements SimulatedCloudProvider {
  readonly name = 'simulated';
  readonly getSupportedNodeClasses = () => [simulatedNodeClassKind];
  readonly labelCatalog: LabelCatalog = defaultLabelCatalog;
  readonly repairPolicies = [];
  readonly interruptionOf = fedInterruptionOf;
  readonly announcements = new CloudAnnouncements();
  readonly faults: CloudFaults;
  readonly cloud: CloudView;
  readonly #options: SimulatedCloudOptions;
  readonly #latency: CloudLatency;
  readonly #types: readonly SimulatedInstanceType[];
  readonly #machines = new Map<string, SimulatedMachine>();
  readonly #launches = new Map<string, Promise<Machine>>();
  readonly #launchNew: CloudProvider['create'];
  readonly #kubelets = new Map<string, Disposable>();
  /** Offering → until when it is known to be out of stock, in milliseconds of the clock. */
  readonly #outOfStock = new Map<string, number>();
  #launchCalls = 0;
  #outages = 0;
  #catalog: { readonly state: string; readonly types: readonly InstanceType[] } | undefined;

  constructor(options: SimulatedCloudOptions) {
    this.#options = options;
    this.#latency = { ...DEFAULT_LATENCY, ...options.latency };
    this.#types = options.instanceTypes ?? defaultInstanceTypes;
    this.faults = options.faults ?? createCloudFaults();
    const ability = {
      most: MOST_LAUNCHES_A_CALL,
      createAll: (claims: readonly NodeClaim[], call: CreateOptions) => this.#launchAll(claims, call),
    };
    this.#launchNew =
      options.batch === undefined
        ? (claim, call) => this.#launchAlone(claim, call)
        : batchedCreate(ability, { clock: options.clock, ...options.batch });
    this.cloud = {
      machineOf: (nodeName) => {
        const machine = this.#find((one) => one.claimName === nodeName);
        return machine === undefined ? undefined : asCloudMachine(machine);
      },
      exists: (providerId) => this.#machines.has(providerId),
    };
  }

  get launchCalls(): number {
    return this.#launchCalls;
  }

  get lateFailures(): readonly LateFailure[] {
    return [...this.#machines.values()].flatMap(({ claimName, failure }) => (failure === undefined ? [] : { claimName, error: failure }));
  }

  async create(claim: NodeClaim, options: CreateOptions): Promise<Machine> {
    const known = await this.#answer(() => this.#find(({ claimName }) => claimName === claim.metadata.name));
    return known === undefined ? this.#launchNew(claim, options) : asSimulatedMachine(known);
  }

  delete(claim: NodeClaim): Promise<DeleteOutcome> {
    return this.#answer(() => {
      const machine = this.#find((one) => one.providerId === claim.status?.providerID || one.claimName === claim.metadata.name);
      if (machine === undefined) return 'gone';
      if (!machine.isTerminating) {
        machine.isTerminating = true;
        this.#options.clock.setTimeout(() => this.loseMachine(machine.providerId), this.#latency.deleteMs);
      }
      return 'terminating';
    });
  }

  get(providerId: string): Promise<Machine | undefined> {
    return this.#answer(() => {
      const machine = this.#machines.get(providerId);
      return machine === undefined ? undefined : asSimulatedMachine(machine);
    });
  }

  list(): Promise<readonly Machine[]> {
    return this.#answer(() => [...this.#machines.values()].map(asSimulatedMachine));
  }

  getInstanceTypes(): Promise<readonly InstanceType[]> {
    return Promise.resolve(this.#offered());
  }

  #offered(): readonly InstanceType[] {
    const nowMs = this.#options.clock.now();
    const state = [...this.#outOfStock].flatMap(([key, untilMs]) => (untilMs > nowMs ? [key] : [])).join();
    if (this.#catalog?.state !== state) {
      this.#catalog = { state, types: this.#types.map((type) => catalogEntry(type, (offering) => this.#isInStock(offering))) };
    }
    return this.#catalog.types;
  }

  isDrifted(claim: NodeClaim): Promise<string | undefined> {
    const machine = this.#machines.get(claim.status?.providerID ?? '');
    const nodeClass = this.#classOf(claim);
    const isOther = machine !== undefined && nodeClass !== undefined && machine.image !== imageOf(nodeClass);
    return Promise.resolve(isOther ? 'ImageDrift' : undefined);
  }

  outage(): Disposable {
    this.#outages += 1;
    return { [Symbol.dispose]: () => void (this.#outages -= 1) };
  }

  loseMachine(providerId: string): void {
    this.#machines.delete(providerId);
    this.#kubelets.get(providerId)?.[Symbol.dispose]();
    this.#kubelets.delete(providerId);
  }

  tagsOf(claimName: string): Tags | undefined {
    return this.#find((machine) => machine.claimName === claimName)?.tags;
  }

  retag(claimName: string, tags: Tags): boolean {
    const machine = this.#find((each) => each.claimName === claimName);
    if (machine !== undefined) machine.tags = tags;
    return machine !== undefined;
  }

  /** What the cloud says, unless it is out. */
  #answer<T>(say: () => T): Promise<T> {
    if (this.#outages > 0) return Promise.reject(new CloudProviderError('network', 'the simulated cloud does not answer'));
    return Promise.resolve(say());
  }

  #launchAlone(claim: NodeClaim, options: CreateOptions): Promise<Machine> {
    const { name } = claim.metadata;
    return getOrMake(this.#launches, name, () => {
      this.#launchCalls += 1;
      return this.#launch(claim, options).finally(() => this.#launches.delete(name));
    });
  }

  #launchAll(claims: readonly NodeClaim[], options: CreateOptions): Promise<readonly LaunchAnswer[]> {
    this.#launchCalls += 1;
    return Promise.all(
      claims.map(async (claim): Promise<LaunchAnswer> => {
        try {
          return { kind: 'launched', machine: await this.#launch(claim, options) };
        } catch (error) {
          if (error instanceof CloudProviderError) return { kind: 'refused', error };
          throw error;
        }
      }),
    );
  }

  async #launch(claim: NodeClaim, { signal, asPlanned }: CreateOptions): Promise<Machine> {
    const nodeClass = this.#classOf(claim);
    if (nodeClass === undefined) {
      throw new CloudProviderError('node-class-not-ready', `there is no SimulatedNodeClass "${claim.spec.nodeClassRef.name}"`);
    }
    const purchase = this.#choose(claim, asPlanned);
    const fault = this.faults.befall(purchase);
    await this.#options.clock.sleep(this.#latency.createMs + (fault?.kind === 'slow' ? fault.byMs : 0), signal);
    const refusal = laterMsOf(fault) === undefined ? this.#failureOf(purchase, fault) : undefined;
    if (refusal !== undefined) throw refusal;
    const { name } = claim.metadata;
    const createdAt = kubeTime(this.#options.clock.now());
    const isNeverReady = fault?.kind === 'never-ready';
    const made = { image: imageOf(nodeClass), tags: nodeClass.spec?.tags ?? {}, createdAt, isNeverReady, isTerminating: false };
    const machine = { claimName: name, providerId: `simulated:///${name}`, purchase, ...made };
    this.#machines.set(machine.providerId, machine);
    this.#start(machine, claim, fault);
    return asSimulatedMachine(machine);
  }

  /** What becomes of a machine that was accepted. */
  #start(machine: SimulatedMachine, claim: NodeClaim, fault: LaunchFault | undefined): void {
    const { clock } = this.#options;
    const laterMs = laterMsOf(fault);
    if (fault?.kind !== 'lost') clock.setTimeout(() => this.#boot(machine, claim), this.#latency.bootMs);
    if (laterMs !== undefined) clock.setTimeout(() => this.#fail(machine, fault), laterMs);
  }

  #fail(machine: SimulatedMachine, fault: LaunchFault | undefined): void {
    const failure = this.#machines.has(machine.providerId) ? this.#failureOf(machine.purchase, fault) : undefined;
    if (failure !== undefined) machine.failure = failure;
  }

  #choose(claim: NodeClaim, asPlanned: CreateOptions['asPlanned']): SimulatedPurchase {
    const offered = this.#offered();
    const planned = new Map((asPlanned?.(claim, offered) ?? offered).map((type) => [type.name, type]));
    const sold = this.#types.flatMap((type) => {
      const counted = planned.get(type.name);
      return counted === undefined ? [] : [{ type, planned: counted }];
    });
    const [cheapest] = simulatedPurchasesFor(claim, sold);
    if (cheapest !== undefined) return cheapest;
    throw new CloudProviderError('insufficient-capacity', `no instance type is left for NodeClaim "${claim.metadata.name}"`);
  }

  #isInStock(offering: OfferingName): boolean {
    return (this.#outOfStock.get(offeringKey(offering)) ?? 0) <= this.#options.clock.now();
  }

  /** Why there is no machine, if so; what is out of stock is remembered. */
  #failureOf(purchase: SimulatedPurchase, fault: LaunchFault | undefined): CloudProviderError | undefined {
    const { instanceType, zone, capacityType } = purchase;
    switch (fault?.kind) {
      case 'insufficient-capacity':
      case 'offering-unavailable':
        this.#outOfStock.set(offeringKey(purchase), this.#options.clock.now() + OUT_OF_STOCK_MS);
        return new CloudProviderError(fault.kind, `${instanceType} (${capacityType}) is out of stock in ${zone}`);
      case 'failing':
        return new CloudProviderError('launch-failed', fault.message);
      case 'throttled':
        return new CloudProviderError('throttled', 'too many launches', { retryAfterMs: fault.retryAfterMs });
      case 'slow':
      case 'lost':
      case 'never-ready':
      case undefined:
        return undefined;
    }
  }

  #boot(machine: SimulatedMachine, claim: NodeClaim): void {
    if (this.#machines.has(machine.providerId) && machine.failure === undefined)
      this.#kubelets.set(machine.providerId, this.#options.kubelets.start(asKubelet(machine, claim)));
  }

  #classOf({ spec }: NodeClaim): SimulatedNodeClass | undefined {
    return this.#options.local.get(simulatedNodeClasses, { name: spec.nodeClassRef.name });
  }

  #find(isIt: (machine: SimulatedMachine) => boolean): SimulatedMachine | undefined {
    for (const machine of this.#machines.values()) if (isIt(machine)) return machine;
    return undefined;
  }
}

/** A `CloudProvider` whose machines are kubelets in this process; the cheapest offering that is in stock is launched. */
export const createSimulatedCloudProvider = (options: SimulatedCloudOptions): SimulatedCloudProvider => new SimulatedCloud(options);
