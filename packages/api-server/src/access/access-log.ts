import type { Access, User } from '../public/access.ts';
import type { Attributes } from './attributes.ts';

/** The accesses so far, each once, in the order of its first request. */
export interface AccessLog {
  /** Records an access. Its name stays until the same access comes with another name. */
  note(user: User, attributes: Attributes, wasAllowed: boolean): void;
  accesses(): readonly Access[];
}

/** An empty log. */
export const createAccessLog = (): AccessLog => {
  const seen = new Map<string, Access>();
  return {
    note: (user, { name, ...asked }, wasAllowed) => {
      const access = { user: user.name, ...asked, wasAllowed };
      const key = JSON.stringify(access);
      const before = seen.get(key);
      if (before === undefined) seen.set(key, { ...access, name });
      else if (before.name !== name) seen.set(key, { ...access, name: undefined });
    },
    accesses: () => [...seen.values()],
  };
};
