import type { ProviderUnderTest } from './provider-under-test.ts';

type Start = () => Promise<ProviderUnderTest>;

/** The calls of the provider under test since it was last started, and its answers. */
export interface ProviderJournal {
  /** Starts a provider whose calls are written down. */
  readonly start: Start;
  /** A line for each call, in order: `create NodeClaim general-one: machine fake:///1`. */
  readonly lines: () => readonly string[];
}

/** More would hide the rest. */
const MOST_ITEMS = 6;

/** The name of what a call takes or answers. */
const nameOf = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ITEMS).map(nameOf).join(', ');
    return `[${shown}${value.length > MOST_ITEMS ? `, and ${value.length - MOST_ITEMS} more` : ''}]`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const { kind, name, metadata, providerId } = value as Readonly<Record<string, unknown>>;
  if (typeof providerId === 'string') return `machine ${providerId}`;
  const ownName = (metadata as { readonly name?: string } | undefined)?.name ?? name;
  return [kind, ownName].filter((word) => typeof word === 'string').join(' ');
};

/** The object with some of its members replaced; methods run on the object itself. */
const standIn = <T extends object>(target: T, replace: (member: string | symbol, value: unknown) => unknown): T =>
  new Proxy(target, {
    get: (_, member) => {
      const value: unknown = Reflect.get(target, member);
      return replace(member, typeof value === 'function' ? (value.bind(target) as unknown) : value);
    },
  });

type Call = (...inputs: readonly unknown[]) => unknown;

const CALLS: ReadonlySet<string | symbol> = new Set(['create', 'delete', 'get', 'list', 'getInstanceTypes', 'isDrifted']);

/** Writes calls of the cloud down. */
export const providerJournal = (start: Start): ProviderJournal => {
  let lines: string[] = [];

  const written =
    (name: string, call: Call): Call =>
    async (...inputs) => {
      const asked = [name, ...inputs.slice(0, -1).map(nameOf)].join(' ');
      const [answer] = await Promise.allSettled([call(...inputs)]);
      lines.push(`${asked}: ${nameOf(answer.status === 'fulfilled' ? answer.value : answer.reason)}`);
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    };

  return {
    start: async () => {
      lines = [];
      const subject = await start();
      const provider = standIn(subject.provider, (member, value) => (CALLS.has(member) ? written(String(member), value as Call) : value));
      return standIn(subject, (member, value) => (member === 'provider' ? provider : value));
    },
    lines: () => lines,
  };
};
