import type { Access, User } from '../door/access.ts';
import type { Attributes } from './attributes.ts';

/** What was asked for, each thing once, in the order in which it came first. */
export interface AccessLog {
  /** Notes what was asked; a name stays as long as nothing else is asked for under another one. */
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
