import fc from 'fast-check';

/** When a controller dies. */
export type Moment =
  /** So long after it began to work. */
  | { readonly kind: 'after'; readonly ms: number }
  /** As soon as Azure has seen so many more of these requests; their answers may be lost. */
  | { readonly kind: 'request'; readonly operation: string; readonly count: number };

const requests = (...operations: readonly string[]): fc.Arbitrary<Moment> =>
  fc.record({ kind: fc.constant('request' as const), operation: fc.constantFrom(...operations), count: fc.integer({ min: 1, max: 6 }) });
const after = (max: number): fc.Arbitrary<Moment> => fc.record({ kind: fc.constant('after' as const), ms: fc.integer({ min: 0, max }) });

/** Moments of a scale-up: around the calls that make machines, and anywhere else. */
export const growing = fc.oneof(requests('NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate'), after(2500));

/** Moments of an end: around the calls that remove machines, and anywhere else. */
export const shrinking = fc.oneof(requests('VirtualMachines_Delete', 'NetworkInterfaces_Delete', 'VirtualMachines_Get'), after(2500));

/** The moments of each round; the same seed gives the same. */
export const killPlans = <P>(plan: fc.Arbitrary<P>, { seed, rounds }: { readonly seed: number; readonly rounds: number }): readonly P[] =>
  fc.sample(plan, { seed, numRuns: rounds });
