import type { InstanceType } from '@karpenter/core';
import type { QuotaLeft } from '@karpenter/core/provider-kit';
import { type CommittedPrice, endingSeries, type PriceBook, pricesOfKnownSizes, withCommittedPrices } from '../pricing/index.ts';
import type { ReservationBook } from '../reservations/index.ts';
import { type ResourceSku, type Sku, skuOf, skuRejectionOf } from '../skus/index.ts';
import { buildInstanceType, type CatalogSettings } from './instance-type-builder.ts';
import { fitsNodeClass } from './node-class-fit.ts';
import type { NodeClassFacets } from './node-class-facets.ts';
import { isPlausible, type LearnedMemory, learnedMemory, type MemoryFacets, type MemoryReport } from './learned-memory.ts';
import { type PurchaseFacts, type SizePurchase, purchasesOf } from './offerings.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

/** What the provider can launch, by the sizes, prices and quota that it has read. */
export interface InstanceTypeCatalog {
  setSkus(records: Iterable<ResourceSku>): void;
  setPrices(prices: PriceBook): void;
  setQuota(quota: QuotaLeft): void;
  /** A node of the size has reported its memory. What cannot be is left out: more than the size has, or a tenth less. */
  learnMemory(size: string, facets: MemoryFacets, report: MemoryReport): void;
  /** A node of the size has joined before the start: it competes by its price. */
  learnSize(size: string): void;
  readonly prices: PriceBook;
  /** Size name → size, of those that nodes may have. */
  readonly skus: ReadonlyMap<string, Sku>;
  /**
   * Every type for a class, by name, also what is out of stock. The same array until something changed, and then the
   * same object for each type that did not. Entries expire a quarter of an hour after their last use; beyond eight
   * classes, half a minute after it.
   */
  typesFor(facets: NodeClassFacets): readonly InstanceType[];
}

interface Built {
  readonly type: InstanceType;
  readonly signature: string;
}

interface ClassEntry {
  readonly version: string;
  readonly types: readonly InstanceType[];
  readonly built: ReadonlyMap<Sku, Built>;
  askedMs: number;
}

/** Types of an earlier spec of a class are not read again; those of every class in use are read within seconds. */
const KEPT_MS = 15 * 60_000;
/** A class with a spec of its own takes some ten MiB: beyond so many, only those read a moment ago are kept. */
const MOST_CLASSES = 8;
const MOMENT_MS = 30_000;

const GIB = 1024 ** 3;

const skuMap = (records: Iterable<ResourceSku>, location: string): ReadonlyMap<string, Sku> => {
  const usable = [...records]
    .map((record) => skuOf(record, location))
    .filter((sku): sku is Sku => sku !== undefined && skuRejectionOf(sku) === undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(usable.map((sku) => [sku.name, sku]));
};

const reservedAs = ({ reservation }: SizePurchase): string =>
  reservation === undefined ? '' : ` ${reservation.id}=${reservation.remaining}`;

/**
 * What an offering list depends on beside the size: availability of each purchase, what is left of reservations, and
 * the two prices.
 */
const signatureOf = (sku: Sku, purchases: readonly SizePurchase[], { prices }: PurchaseFacts): string =>
  `${purchases.map((each) => `${each.isAvailable ? '1' : '0'}${reservedAs(each)}`).join('')} ${prices.onDemand.get(sku.name) ?? ''} ${prices.spot.get(sku.name) ?? ''}`;

export interface CatalogInputs {
  readonly settings: CatalogSettings;
  readonly prices: PriceBook;
  readonly unavailable: UnavailableOfferings;
  /** Absent: nothing is kept. */
  readonly reservations?: Pick<ReservationBook, 'ofSize' | 'version'>;
  /** What reservations and savings plans make of prices on demand. */
  readonly committedPrices?: readonly CommittedPrice[];
  /** Absent: any price of spot will do. */
  readonly spotMaxPricePerHour?: number | undefined;
  readonly clock: { now(): number };
}

const nothingKept: NonNullable<CatalogInputs['reservations']> = { ofSize: () => [], version: 0 };

interface BuildSource {
  readonly skus: ReadonlyMap<string, Sku>;
  readonly settings: CatalogSettings;
  readonly facts: PurchaseFacts;
  readonly memory: LearnedMemory;
}

/** The types of a class; each that says the same as before is the same object, and so is the list where all do. */
const buildFor = (facets: NodeClassFacets, source: BuildSource, before: ClassEntry | undefined): Pick<ClassEntry, 'types' | 'built'> => {
  const { skus, settings, facts, memory } = source;
  const built = new Map<Sku, Built>();
  for (const sku of skus.values()) {
    if (!fitsNodeClass(sku, facets)) continue;
    const purchases = purchasesOf(sku, facts);
    const knownMemoryBytes = memory.bytesOf(sku.name, facets);
    const signature = `${signatureOf(sku, purchases, facts)} ${knownMemoryBytes ?? ''}`;
    const known = before?.built.get(sku);
    const isSame = known?.signature === signature;
    built.set(sku, isSame ? known : { signature, type: buildInstanceType({ sku, facets, settings, knownMemoryBytes }, purchases, facts) });
  }
  const types = [...built.values()].map(({ type }) => type);
  const isSame = types.length === before?.types.length && types.every((type, at) => type === before.types[at]);
  return { built, types: isSame ? before.types : types };
};

/** Forgets the classes that nobody has asked for lately. */
const forgetUnasked = (classes: Map<string, ClassEntry>, nowMs: number): void => {
  const latestFirst = [...classes].sort(([, a], [, b]) => b.askedMs - a.askedMs);
  for (const [index, [key, { askedMs }]] of latestFirst.entries())
    if (askedMs < nowMs - (index < MOST_CLASSES ? KEPT_MS : MOMENT_MS)) classes.delete(key);
};

/** Prices of known sizes, selected again only when something of it changed: types are built with every quota that is read. */
const knownPricesWith = ({ sizes: launched }: LearnedMemory): ((prices: PriceBook, nowMs: number) => PriceBook) => {
  let last: { readonly prices: PriceBook; readonly key: string; readonly known: PriceBook } | undefined;
  return (prices, nowMs) => {
    const key = `${launched.size} ${endingSeries(nowMs)}`;
    if (last?.prices !== prices || last.key !== key) last = { prices, key, known: pricesOfKnownSizes(prices, { launched, nowMs }) };
    return last.known;
  };
};

/** An empty catalog with prices; sizes come by `setSkus`. */
export const instanceTypeCatalog = (inputs: CatalogInputs): InstanceTypeCatalog => {
  const { settings, unavailable, reservations = nothingKept, committedPrices = [], spotMaxPricePerHour, clock } = inputs;
  const classes = new Map<string, ClassEntry>();
  let skus: ReadonlyMap<string, Sku> = new Map();
  let prices = inputs.prices;
  let quota: QuotaLeft = new Map();
  let changes = 0;
  const memory = learnedMemory();
  const knownPrices = knownPricesWith(memory);
  return {
    setSkus: (records) => {
      skus = skuMap(records, settings.location);
      changes++;
    },
    setPrices: (fresh) => {
      prices = fresh;
      changes++;
    },
    setQuota: (fresh) => {
      quota = fresh;
      changes++;
    },
    learnMemory: (size, facets, report) => {
      const sku = skus.get(size);
      if (sku !== undefined && isPlausible(report.bytes, sku.memoryGiB * GIB) && memory.learn(size, facets, report)) changes++;
    },
    learnSize: (size) => void (changes += memory.learnSize(size) ? 1 : 0),
    get prices() {
      return prices;
    },
    get skus() {
      return skus;
    },
    typesFor: (facets) => {
      const key = JSON.stringify(facets);
      const askedMs = clock.now();
      const version = `${changes} ${unavailable.version()} ${reservations.version} ${endingSeries(askedMs)}`;
      const before = classes.get(key);
      if (before?.version === version) return Object.assign(before, { askedMs }).types;
      const paid = withCommittedPrices(knownPrices(prices, askedMs), committedPrices, skus.values());
      const facts = { location: settings.location, prices: paid, quota, unavailable, reservations, spotMaxPricePerHour };
      const entry: ClassEntry = { version, askedMs, ...buildFor(facets, { skus, settings, facts, memory }, before) };
      classes.set(key, entry);
      forgetUnasked(classes, askedMs);
      return entry.types;
    },
  };
};
