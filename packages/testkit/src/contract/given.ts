/** What a test of a rule cannot do without. Errors: one sentence about what to give. */
export const given = <T>(what: T | undefined, name: string): T => {
  if (what === undefined) throw new Error(`give ${name}, or the reason why the rule is skipped`);
  return what;
};
