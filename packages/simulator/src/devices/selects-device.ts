import { createCelEnvironment, quantityValueOf } from '@karpenter/api-server';

/** A device as a selector sees it. */
export interface SelectableDevice {
  readonly driver: string;
  /** Name, with a domain or without, → attribute. */
  readonly attributes: Readonly<
    Record<string, { readonly int?: number; readonly bool?: boolean; readonly string?: string; readonly version?: string }>
  >;
  /** Name → quantity. */
  readonly capacity: Readonly<Record<string, string | number>>;
  readonly allowMultipleAllocations: boolean;
}

class Version {
  readonly parts: readonly (bigint | string)[];
  constructor(text: string) {
    const [numbers = '', ...rest] = (text.split('+', 1)[0] ?? '').split('-');
    this.parts = [...numbers.split('.').map(BigInt), ...(rest.length === 0 ? ['~'] : rest.join('-').split('.'))];
  }
}

const compareParts = (a: bigint | string | undefined, b: bigint | string | undefined): number => {
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  if (/^\d+$/.test(left) && /^\d+$/.test(right)) return Number(BigInt(left) - BigInt(right));
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

const compareVersions = (a: Version, b: Version): number =>
  a.parts.map((part, index) => compareParts(part, b.parts[index])).find((order) => order !== 0) ?? a.parts.length - b.parts.length;

const environment = createCelEnvironment()
  .registerType('kubernetes.Semver', Version)
  .registerFunction('semver(string): kubernetes.Semver', (text: string) => new Version(text))
  .registerFunction('kubernetes.Semver.compareTo(kubernetes.Semver): int', (a: Version, b: Version) =>
    BigInt(Math.sign(compareVersions(a, b))),
  )
  .registerFunction('kubernetes.Semver.isLessThan(kubernetes.Semver): bool', (a: Version, b: Version) => compareVersions(a, b) < 0)
  .registerFunction('kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool', (a: Version, b: Version) => compareVersions(a, b) > 0)
  .registerFunction('kubernetes.Semver.major(): int', ({ parts }: Version) => parts[0])
  .registerFunction('kubernetes.Semver.minor(): int', ({ parts }: Version) => parts[1])
  .registerFunction('kubernetes.Semver.patch(): int', ({ parts }: Version) => parts[2]);

const attributeValue = ({ int, bool, string, version }: SelectableDevice['attributes'][string]): unknown => {
  if (int !== undefined) return BigInt(int);
  if (version !== undefined) return new Version(version);
  return bool ?? string;
};

const quantity = (amount: string | number): unknown => environment.evaluate(`quantity("${String(amount)}")`);

type Domains = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** Every domain that the expression names is there, if only empty. */
const byDomain = (entries: readonly (readonly [string, unknown])[], driver: string, expression: string): Domains => {
  const domains = new Map([...expression.matchAll(/["']([^"']*)["']/g)].map(([, name = '']) => [name, new Map<string, unknown>()]));
  for (const [name, value] of entries) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    domains.set(domain, (domains.get(domain) ?? new Map<string, unknown>()).set(name.slice(slash + 1), value));
  }
  return domains;
};

const expressionOf = (device: SelectableDevice, expression: string): unknown => ({
  driver: device.driver,
  attributes: byDomain(
    Object.entries(device.attributes).map(([name, attribute]) => [name, attributeValue(attribute)] as const),
    device.driver,
    expression,
  ),
  capacity: byDomain(
    Object.entries(device.capacity).map(([name, amount]) => [name, quantity(amount)] as const),
    device.driver,
    expression,
  ),
  allowMultipleAllocations: device.allowMultipleAllocations,
});

/** Whether the CEL expression of a device selector selects the device; undefined where it says neither yes nor no. */
export const selectsDevice = (expression: string, device: SelectableDevice): boolean | undefined => {
  try {
    const answer: unknown = environment.evaluate(expression, { device: expressionOf(device, expression) });
    return typeof answer === 'boolean' ? answer : undefined;
  } catch {
    return undefined;
  }
};

/** The exact amount of a quantity, in nanos. */
export const nanosOfQuantity = (text: string | number): bigint => quantityValueOf(String(text))?.nanos ?? 0n;
