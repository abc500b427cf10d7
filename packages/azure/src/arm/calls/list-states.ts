import type { ProvisioningState } from './state-poller.ts';

interface Pages<T> {
  byPage(): AsyncIterable<readonly T[]>;
}

interface Stated {
  readonly name?: string;
  readonly provisioningState?: string;
}

/** The states of a listed kind by name in lower case, and how many pages they came on. */
export const listStates = async (list: Pages<Stated>): Promise<{ states: ReadonlyMap<string, ProvisioningState>; calls: number }> => {
  const states = new Map<string, ProvisioningState>();
  let calls = 0;
  for await (const page of list.byPage()) {
    calls += 1;
    for (const { name, provisioningState } of page) if (name !== undefined) states.set(name.toLowerCase(), provisioningState);
  }
  return { states, calls: Math.max(1, calls) };
};
