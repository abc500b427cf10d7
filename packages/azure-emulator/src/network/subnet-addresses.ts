/** Azure keeps the first four addresses of a subnet and the last one. */
const RESERVED_FIRST = 4;
const RESERVED_LAST = 1;

const toNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const toAddress = (value: number): string => [24, 16, 8, 0].map((shift) => String(Math.floor(value / 2 ** shift) % 256)).join('.');

/** The IPv4 addresses of one subnet: the lowest free one is given out first, and they run out. */
export class SubnetAddresses {
  readonly prefix: string;
  readonly #first: number;
  readonly #last: number;
  readonly #used = new Set<number>();
  #lowestFree: number;

  /** @param prefix `10.224.0.0/16` */
  constructor(prefix: string) {
    const [base = '0.0.0.0', bits = '32'] = prefix.split('/');
    const start = toNumber(base);
    this.prefix = prefix;
    this.#first = start + RESERVED_FIRST;
    this.#last = start + 2 ** (32 - Number(bits)) - 1 - RESERVED_LAST;
    this.#lowestFree = this.#first;
  }

  /** Without those that Azure keeps. */
  get total(): number {
    return this.#last - this.#first + 1;
  }

  get free(): number {
    return this.total - this.#used.size;
  }

  /** As many addresses as asked for, or undefined (and none taken) when the subnet has not so many left. */
  take(count: number): readonly string[] | undefined {
    if (count > this.free) return undefined;
    return Array.from({ length: count }, () => this.#takeOne());
  }

  putBack(addresses: readonly string[]): void {
    for (const address of addresses) {
      const value = toNumber(address);
      this.#used.delete(value);
      this.#lowestFree = Math.min(this.#lowestFree, value);
    }
  }

  #takeOne(): string {
    while (this.#used.has(this.#lowestFree)) this.#lowestFree += 1;
    this.#used.add(this.#lowestFree);
    return toAddress(this.#lowestFree);
  }
}
