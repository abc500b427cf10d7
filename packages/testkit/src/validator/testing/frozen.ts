/** The object with everything in it frozen: a write to any of it throws. */
export const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};
