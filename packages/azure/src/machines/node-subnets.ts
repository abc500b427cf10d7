import { CloudProviderError } from '@karpenter/core';
import type { Clock, Logger } from '@karpenter/runtime';
import type { AKSNodeClass } from '../apis/index.ts';
import type { ArmApi, SubnetSpace } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { type AzureOptions, defaultMaxPodsOf, isOverlay } from '../options/index.ts';

/** How long a reading of free addresses counts. */
const FRESH_MS = 60_000;
/** After so long a launch that Azure never accepted keeps no addresses. */
const FORGOTTEN_MS = 600_000;

type SubnetOptions = Pick<AzureOptions, 'vnetSubnetId' | 'networkPlugin' | 'networkPluginMode'>;

/** ARM ids of the subnets that nodes of a class may join, the class's own first. */
export const subnetIdsOf = ({ spec }: Pick<AKSNodeClass, 'spec'>, options: Pick<AzureOptions, 'vnetSubnetId'>): readonly string[] => {
  const ids = [spec?.vnetSubnetID ?? options.vnetSubnetId, ...(spec?.additionalSubnetIDs ?? [])];
  return [...new Map(ids.map((id) => [id.toLowerCase(), id])).values()];
};

/** Addresses that a node takes of its subnet: with an overlay or a pod subnet one, else one for each pod. */
export const nodeAddressesOf = ({ spec }: Pick<AKSNodeClass, 'spec'>, options: SubnetOptions): number => {
  const sharesSubnet = options.networkPlugin === 'azure' && !isOverlay(options) && spec?.podSubnetID === undefined;
  return sharesSubnet ? (spec?.maxPods ?? defaultMaxPodsOf(options)) : 1;
};

/** A machine that is to join one of several subnets. */
export interface SubnetRequest {
  readonly machine: string;
  /** In one virtual network. */
  readonly subnetIds: readonly string[];
  /** How many the machine takes. */
  readonly addresses: number;
}

/** Addresses of a machine that Azure may not count yet. */
interface HeldAddresses {
  readonly subnetId: string;
  readonly addresses: number;
  readonly sinceMs: number;
  readonly isAccepted: boolean;
}

export interface NodeSubnetsSource {
  readonly arm: Pick<ArmApi, 'subnetSpaces'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Until an accepted machine has its addresses: 0 where its interface is written first. */
  readonly addressedWithinMs: number;
}

/** Spreads nodes over the subnets of their class: each joins the one with the most free addresses, and none that is full. */
export class NodeSubnets {
  readonly #source: NodeSubnetsSource;
  /** Machine → what it takes. */
  readonly #held = new Map<string, HeldAddresses>();
  /** Id in lower case → what Azure said of it. Undefined: nothing yet, and any may do. */
  #spaces: ReadonlyMap<string, SubnetSpace> | undefined;
  /** Ids in lower case of subnets that have refused a machine since they were read. */
  readonly #full = new Set<string>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(source: NodeSubnetsSource) {
    this.#source = source;
  }

  /**
   * The subnet of a machine; the same one again for another try. Throws `launch-failed` with `SubnetIsFull` when none
   * has room.
   */
  async choose(request: SubnetRequest, signal: AbortSignal): Promise<string> {
    const { machine, subnetIds, addresses } = request;
    const [only = '', ...others] = subnetIds;
    if (others.length === 0) return only;
    await this.#refresh(only, signal);
    const before = this.#held.get(machine)?.subnetId;
    const subnetId = before !== undefined && subnetIds.includes(before) && !this.#isFull(before) ? before : this.#roomiest(request);
    if (subnetId === undefined) {
      const message = `no subnet has ${addresses} free addresses for a node: ${subnetIds.join(', ')}`;
      throw new CloudProviderError('launch-failed', message, { reason: 'SubnetIsFull' });
    }
    this.#held.set(machine, { subnetId, addresses, sinceMs: this.#source.clock.now(), isAccepted: false });
    return subnetId;
  }

  /** Azure has accepted the machine. */
  accepted(machine: string): void {
    const held = this.#held.get(machine);
    if (held !== undefined) this.#held.set(machine, { ...held, sinceMs: this.#source.clock.now(), isAccepted: true });
  }

  /** Azure had no address for the machine: its subnet is full until it is read again. */
  refused(machine: string): void {
    const held = this.#held.get(machine);
    if (held === undefined) return;
    this.#full.add(held.subnetId.toLowerCase());
    this.#held.delete(machine);
  }

  /** The machine is gone. */
  release(machine: string): void {
    this.#held.delete(machine);
  }

  #isFull(subnetId: string): boolean {
    return this.#full.has(subnetId.toLowerCase());
  }

  #roomiest({ machine, subnetIds, addresses }: SubnetRequest): string | undefined {
    const rooms = subnetIds.map((subnetId) => ({ subnetId, room: this.#roomIn(subnetId, machine) }));
    const [best] = rooms.filter(({ room, subnetId }) => room >= addresses && !this.#isFull(subnetId)).sort((a, b) => b.room - a.room);
    return best?.subnetId;
  }

  /** Free addresses without those of other machines that are on their way. A subnet that Azure does not name has none. */
  #roomIn(subnetId: string, machine: string): number {
    const id = subnetId.toLowerCase();
    const free = this.#spaces === undefined ? Number.MAX_SAFE_INTEGER : (this.#spaces.get(id)?.free ?? 0);
    const others = [...this.#held].filter(([name, held]) => name !== machine && held.subnetId.toLowerCase() === id);
    return free - others.reduce((sum, [, held]) => sum + held.addresses, 0);
  }

  /** One call for all subnets; launches at the same time share it. */
  async #refresh(subnetId: string, signal: AbortSignal): Promise<void> {
    if (this.#source.clock.now() - this.#readAtMs < FRESH_MS) return;
    this.#reading ??= this.#read(subnetId, signal).finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #read(subnetId: string, signal: AbortSignal): Promise<void> {
    const { arm, clock, logger, addressedWithinMs } = this.#source;
    const beganMs = clock.now();
    try {
      this.#spaces = await arm.subnetSpaces(subnetId, signal);
      for (const [machine, { sinceMs, isAccepted }] of this.#held)
        if (sinceMs + (isAccepted ? addressedWithinMs : FORGOTTEN_MS) < beganMs) this.#held.delete(machine);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      logger.warn('free addresses of subnets could not be read', { subnet: subnetId, error });
    }
    this.#full.clear();
    this.#readAtMs = beganMs;
  }
}
