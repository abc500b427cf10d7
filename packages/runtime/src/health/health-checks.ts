/** What is wrong, in a sentence; `undefined` when nothing is. */
export type HealthCheck = () => string | undefined;

/** Named checks of one kind: all must be content. */
export interface HealthChecks {
  add(name: string, check: HealthCheck): void;
  /** check name → what is wrong; empty when all is well. */
  failing(): ReadonlyMap<string, string>;
}

/** What the check says; one that throws is not content. */
const resultOf = (check: HealthCheck): string | undefined => {
  try {
    return check();
  } catch (error) {
    return `the check threw: ${String(error)}`;
  }
};

/** No checks: healthy. */
export const healthChecks = (): HealthChecks => {
  const checks = new Map<string, HealthCheck>();
  return {
    add: (name, check) => void checks.set(name, check),
    failing: () => {
      const results = [...checks].map(([name, check]) => [name, resultOf(check)] as const);
      return new Map(results.filter((result): result is readonly [string, string] => result[1] !== undefined));
    },
  };
};
