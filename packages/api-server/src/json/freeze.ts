/** Freezes a JSON value in depth. Parts that are frozen already are not entered, so the cost is that of what is new. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
};

/** A mutable copy in depth of a JSON value. */
export const thaw = <T>(value: T): T => copy(value) as T;

const copy = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) result[name] = copy(member);
  return result;
};
