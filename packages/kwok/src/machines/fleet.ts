import { isConditionTrue, type LabelCatalog, type Node, type NodeClaim } from '@karpenter/core';
import { type Clock, type KubeClient, KubeError, type KubeObject, type Logger, type TimerHandle } from '@karpenter/runtime';
import { IMAGE_ANNOTATION, KWOK_NODE } from '../apis/kwok-names.ts';
import { type KwokMachine, machineOfClaim, machineOfNode, nodeOf } from './kwok-machine.ts';

/** When a machine joins and when it vanishes, in milliseconds from its creation. Infinity: never. */
export interface Fate {
  readonly joinsAfterMs: number;
  readonly vanishesAfterMs: number;
}

/** What the machines of this provider are made of. */
export interface FleetParts {
  readonly kube: Pick<KubeClient, 'create' | 'delete' | 'get' | 'list' | 'patch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly labelCatalog: LabelCatalog;
  /** The fate of a machine that an earlier process made. */
  readonly fateOf: (claim: NodeClaim, machine: KwokMachine) => Promise<Fate>;
}

interface Entry {
  readonly machine: KwokMachine;
  readonly fate: Fate;
  hasJoined: boolean;
  /** Whether there may be a Node: a create that was not answered may have been carried out. */
  mayHaveNode: boolean;
  timer?: TimerHandle;
  /** While the Node is being created or deleted. */
  underway?: Promise<void>;
}

type StoredNode = Node & KubeObject;

const RETRY_MS = 1000;
/** Of a machine without a claim: core deletes it. */
const LASTING: Fate = { joinsAfterMs: 0, vanishesAfterMs: Infinity };
const SELECTOR = `${KWOK_NODE.key}=${KWOK_NODE.value}`;

/**
 * The machines: a machine that has joined is its Node; before that it is known here, and after a restart by its
 * NodeClaim, which names it in `status.providerID`. One process acts at a time, so what it knows holds.
 */
export class Fleet {
  readonly #parts: FleetParts;
  readonly #entries = new Map<string, Entry>();
  /** Claims whose machine is gone while core still holds on to its Node. */
  readonly #ended = new Set<string>();
  #recalled: Promise<void> | undefined;

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  /** Reads the machines of earlier processes, once. Errors: KubeError; the next call tries again. */
  recall(signal: AbortSignal): Promise<void> {
    this.#recalled ??= this.#readAll(signal).catch((error: unknown) => {
      this.#recalled = undefined;
      throw error;
    });
    return this.#recalled;
  }

  machineOf(claimName: string): KwokMachine | undefined {
    return this.#entries.get(claimName)?.machine;
  }

  /** Makes the machine. Its node joins when it is time. */
  start(machine: KwokMachine, fate: Fate): void {
    this.#ended.delete(machine.claimName);
    this.#follow({ machine, fate, hasJoined: false, mayHaveNode: false });
  }

  /** Ends the machine, if there is one; its Node is deleted. Errors: KubeError, and the machine is still there. */
  async end(claimName: string, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(claimName);
    if (entry === undefined) return;
    await entry.underway;
    if (entry.mayHaveNode && (await this.#parts.kube.delete('Node', { name: claimName }, { signal })) === 'terminating')
      this.#ended.add(claimName);
    this.#forget(claimName);
  }

  /** The machine as the API server shows it now. Errors: KubeError. */
  async find(claimName: string, signal: AbortSignal): Promise<KwokMachine | undefined> {
    const entry = this.#entries.get(claimName);
    if (this.#ended.has(claimName)) return undefined;
    if (entry?.hasJoined === false) return entry.machine;
    const node = await this.#parts.kube.get<StoredNode>('Node', { name: claimName }, { signal });
    return node && machineOfNode(node, this.#parts.labelCatalog);
  }

  /** Every machine. Forgets those whose Node somebody has removed. Errors: KubeError. */
  async list(signal: AbortSignal): Promise<readonly KwokMachine[]> {
    const joinedBefore = [...this.#entries].filter(([, { hasJoined }]) => hasJoined).map(([name]) => name);
    const nodes = await this.#nodes(signal);
    for (const name of joinedBefore) if (!nodes.has(name)) this.#forget(name);
    for (const name of this.#ended) if (!nodes.has(name)) this.#ended.delete(name);
    const machines = new Map([...nodes].filter(([name]) => !this.#ended.has(name)));
    for (const [name, { machine }] of this.#entries) if (!machines.has(name)) machines.set(name, machine);
    return [...machines.values()];
  }

  async #nodes(signal: AbortSignal): Promise<ReadonlyMap<string, KwokMachine>> {
    const { items } = await this.#parts.kube.list<StoredNode>('Node', { labelSelector: SELECTOR, signal });
    const machines = items.flatMap((node) => machineOfNode(node, this.#parts.labelCatalog) ?? []);
    return new Map(machines.map((machine) => [machine.claimName, machine]));
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    const { kube, labelCatalog, fateOf } = this.#parts;
    const nodes = await this.#nodes(signal);
    const { items } = await kube.list<NodeClaim & KubeObject>('NodeClaim', { signal });
    for (const claim of items) {
      const { name } = claim.metadata;
      const isLost = isConditionTrue(claim.status?.conditions, 'Registered') && !nodes.has(name);
      const machine = nodes.get(name) ?? machineOfClaim(claim, labelCatalog);
      if (machine === undefined || isLost) continue;
      const hasJoined = nodes.has(name);
      this.#follow({ machine, fate: await fateOf(claim, machine), hasJoined, mayHaveNode: hasJoined });
    }
    for (const [name, machine] of nodes)
      if (!this.#entries.has(name)) this.#follow({ machine, fate: LASTING, hasJoined: true, mayHaveNode: true });
  }

  /** Waits for what happens next to the machine. */
  #follow(entry: Entry): void {
    const { machine, fate } = entry;
    this.#entries.set(machine.claimName, entry);
    const afterMs = entry.hasJoined ? fate.vanishesAfterMs : fate.joinsAfterMs;
    if (afterMs === Infinity) return;
    this.#later(entry, machine.createdAtMs + afterMs - this.#parts.clock.now());
  }

  #later(entry: Entry, delayMs: number): void {
    if (this.#entries.get(entry.machine.claimName) !== entry) return;
    entry.timer = this.#parts.clock.setTimeout(() => {
      entry.underway = this.#act(entry);
    }, delayMs);
  }

  async #act(entry: Entry): Promise<void> {
    const { claimName } = entry.machine;
    try {
      if (entry.hasJoined) await this.#vanish(claimName);
      else {
        entry.mayHaveNode = true;
        await this.#join(entry.machine);
        entry.hasJoined = true;
        this.#follow(entry);
      }
    } catch (error) {
      this.#parts.logger.warn('a kwok node could not be written; tried again in a second', { node: claimName, error });
      this.#later(entry, RETRY_MS);
    }
  }

  async #join(machine: KwokMachine): Promise<void> {
    try {
      await this.#parts.kube.create('Node', nodeOf(machine));
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'already-exists') throw error;
    }
  }

  /** kwok leaves the node alone from now on; the cloud's own controller would delete it. */
  async #vanish(name: string): Promise<void> {
    const mark = { [KWOK_NODE.key]: null };
    const body = { metadata: { labels: mark, annotations: { ...mark, [IMAGE_ANNOTATION]: null } } };
    await this.#parts.kube.patch('Node', { name }, { type: 'merge', body });
    this.#forget(name);
    await this.#parts.kube.delete('Node', { name });
  }

  #forget(claimName: string): void {
    this.#entries.get(claimName)?.timer?.cancel();
    this.#entries.delete(claimName);
  }
}
