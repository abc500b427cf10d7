import {
  type CloudProvider,
  CloudProviderError,
  conditionOf,
  type CreateOptions,
  type DeleteOutcome,
  type InstanceType,
  type LabelCatalog,
  type Machine,
  type NodeClaim,
  type NodePool,
} from '@karpenter/core';
import { type BlockList, blockList } from '@karpenter/core/provider-kit';
import type { Clock, KubeCallOptions, KubeClient, Logger } from '@karpenter/runtime';
import { claimNameOf } from '../apis/kwok-names.ts';
import { bootMsOf, type KWOKNodeClass, kwokNodeClassKind, type SoldOut } from '../apis/kwok-node-class.ts';
import { instanceTypesOf, labelCatalogOf, offeringKey } from '../instance-types/instance-types.ts';
import type { InstanceTypeEntry } from '../instance-types/instance-type-entry.ts';
import { happens, lifetimeMs } from '../machines/chance.ts';
import { type Fate, Fleet } from '../machines/fleet.ts';
import { announcedInterruptionOf } from '../machines/interruption.ts';
import { asMachine, newMachine } from '../machines/kwok-machine.ts';
import { type MachinePurchase, purchasesFor } from '../machines/purchase.ts';
import { callCloud } from './cloud-error.ts';

type Options = KubeCallOptions & { readonly signal: AbortSignal };

/** What the provider is made from. */
export interface KwokProviderParts {
  /** `get` of a KWOKNodeClass may be answered by a cache. */
  readonly kube: Pick<KubeClient, 'create' | 'delete' | 'get' | 'list' | 'patch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly instanceTypes: readonly InstanceTypeEntry[];
}

const OUT_OF_STOCK_MS = 180_000;
const UNHEALTHY_MS = 600_000;

const fateOf = (nodeClass: KWOKNodeClass | undefined, claimName: string): Fate => {
  const { neverJoinsPercent, vanishesPercentPerHour } = nodeClass?.spec?.failures ?? {};
  return {
    joinsAfterMs: happens(`joins/${claimName}`, neverJoinsPercent) ? Infinity : nodeClass ? bootMsOf(nodeClass) : 0,
    vanishesAfterMs: lifetimeMs(`vanishes/${claimName}`, vanishesPercentPerHour),
  };
};

const isMatch = (soldOut: SoldOut, { type, offering: { zone, capacityType } }: MachinePurchase): boolean =>
  Object.entries({ instanceType: type.name, zone, capacityType }).every(([key, value]) => {
    const wanted = soldOut[key as keyof SoldOut];
    return wanted === undefined || wanted === value;
  });

/** Names an offering as machines of a class may buy it. */
const stockKey = (className: string, offering: string): string => `${className} ${offering}`;

/** What machines of the class are said to be made from. */
export const imageOf = ({ spec }: KWOKNodeClass): string => spec?.image ?? '';

/** `CloudProvider` over Node objects that kwok (sigs.k8s.io/kwok) keeps alive. Its cloud is the API server of the cluster. */
export class KwokProvider implements CloudProvider {
  readonly name = 'kwok';
  readonly labelCatalog: LabelCatalog;
  readonly repairPolicies = [
    { conditionType: 'Ready', conditionStatus: 'False', tolerationMs: UNHEALTHY_MS },
    { conditionType: 'Ready', conditionStatus: 'Unknown', tolerationMs: UNHEALTHY_MS },
  ] as const;
  readonly interruptionOf = announcedInterruptionOf;
  readonly #parts: KwokProviderParts;
  readonly #fleet: Fleet;
  readonly #outOfStock: BlockList;
  /** The types of every class that has sold out nothing: core compiles a catalog once for each array. */
  readonly #allTypes: readonly InstanceType[];
  #onSale: { readonly version: number; readonly typesByClass: Map<string, readonly InstanceType[]> } | undefined;

  constructor(parts: KwokProviderParts) {
    this.#parts = parts;
    this.labelCatalog = labelCatalogOf(parts.instanceTypes);
    this.#outOfStock = blockList(parts.clock);
    this.#allTypes = instanceTypesOf(parts.instanceTypes, this.labelCatalog, () => true);
    this.#fleet = new Fleet({
      ...parts,
      labelCatalog: this.labelCatalog,
      fateOf: async ({ spec, metadata }) => fateOf(await this.#classOf(spec.nodeClassRef.name), metadata.name),
    });
  }

  readonly getSupportedNodeClasses = () => [kwokNodeClassKind];

  /** Errors: CloudProviderError. */
  async create(claim: NodeClaim, { signal, asPlanned }: CreateOptions): Promise<Machine> {
    const { name: claimName } = claim.metadata;
    const nodeClass = await this.#readyClass(claim, { signal });
    await callCloud('reading machines', () => this.#fleet.recall(signal));
    // No await from here on, so that two calls for one claim make one machine.
    const known = this.#fleet.machineOf(claimName);
    if (known !== undefined) return asMachine(known);
    const types = this.#types(nodeClass.metadata.name);
    const purchase = this.#buy(claim, asPlanned?.(claim, types) ?? types, nodeClass);
    const machine = newMachine(purchase, { claimName, createdAtMs: this.#parts.clock.now(), image: imageOf(nodeClass) });
    this.#fleet.start(machine, fateOf(nodeClass, claimName));
    return asMachine(machine);
  }

  async delete({ metadata: { name } }: NodeClaim, { signal }: Options): Promise<DeleteOutcome> {
    await callCloud(`deleting the node ${name}`, async () => {
      await this.#fleet.recall(signal);
      await this.#fleet.end(name, signal);
    });
    return 'gone';
  }

  async get(providerId: string, { signal }: Options): Promise<Machine | undefined> {
    const name = claimNameOf(providerId);
    if (name === undefined) return undefined;
    const machine = await callCloud(`reading the node ${name}`, async () => {
      await this.#fleet.recall(signal);
      return this.#fleet.find(name, signal);
    });
    return machine && asMachine(machine);
  }

  async list({ signal }: Options): Promise<readonly Machine[]> {
    const machines = await callCloud('listing nodes', async () => {
      await this.#fleet.recall(signal);
      return this.#fleet.list(signal);
    });
    return machines.map(asMachine);
  }

  getInstanceTypes({ spec }: NodePool): Promise<readonly InstanceType[]> {
    return Promise.resolve(this.#types(spec.template.spec.nodeClassRef.name));
  }

  async isDrifted({ spec, status }: NodeClaim): Promise<string | undefined> {
    if (status?.providerID === undefined) return undefined;
    const nodeClass = await callCloud('reading the NodeClass', () => this.#classOf(spec.nodeClassRef.name));
    return nodeClass !== undefined && imageOf(nodeClass) !== (status.imageID ?? '') ? 'ImageDrift' : undefined;
  }

  #classOf(name: string): Promise<KWOKNodeClass | undefined> {
    return this.#parts.kube.get<KWOKNodeClass>(kwokNodeClassKind.kind, { name });
  }

  async #readyClass({ spec: { nodeClassRef } }: NodeClaim, _options: Options): Promise<KWOKNodeClass> {
    const { name } = nodeClassRef;
    const nodeClass = await callCloud('reading the NodeClass', () => this.#classOf(name));
    if (nodeClass === undefined) throw new CloudProviderError('node-class-not-ready', `there is no KWOKNodeClass ${name}`);
    const ready = conditionOf(nodeClass.status?.conditions, 'Ready');
    if (ready?.status === 'False')
      throw new CloudProviderError('node-class-not-ready', `KWOKNodeClass ${name}: ${ready.message ?? ready.reason ?? 'not Ready'}`);
    return nodeClass;
  }

  /** What a class sold out is sold out for its own machines only. */
  #types(className: string): readonly InstanceType[] {
    const version = this.#outOfStock.version();
    if (this.#onSale?.version !== version) this.#onSale = { version, typesByClass: new Map() };
    const { typesByClass } = this.#onSale;
    const known = typesByClass.get(className);
    if (known !== undefined) return known;
    const isInStock = (key: string): boolean => !this.#outOfStock.has(stockKey(className, key));
    const { instanceTypes } = this.#parts;
    const hasAll = instanceTypes.every(({ name, offerings }) => offerings.every((each) => isInStock(offeringKey(name, each))));
    const types = hasAll ? this.#allTypes : instanceTypesOf(instanceTypes, this.labelCatalog, isInStock);
    typesByClass.set(className, types);
    return types;
  }

  /** Errors: `insufficient-capacity`; the offering is then left alone for three minutes. */
  #buy(claim: NodeClaim, types: readonly InstanceType[], { metadata, spec }: KWOKNodeClass): MachinePurchase {
    const { name } = claim.metadata;
    const [purchase] = purchasesFor(claim, types, this.labelCatalog);
    if (purchase === undefined) throw new CloudProviderError('insufficient-capacity', `no instance type is left for NodeClaim ${name}`);
    const key = offeringKey(purchase.type.name, purchase.offering);
    const { soldOut = [], outOfStockPercent } = spec?.failures ?? {};
    if (!soldOut.some((each) => isMatch(each, purchase)) && !happens(`stock/${name}/${key}`, outOfStockPercent)) return purchase;
    this.#outOfStock.block({ key: stockKey(metadata.name, key), ttlMs: OUT_OF_STOCK_MS, mostMs: OUT_OF_STOCK_MS });
    throw new CloudProviderError('insufficient-capacity', `${key} is out of stock`);
  }
}
