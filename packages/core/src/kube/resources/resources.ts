/**
 * Resource name → amount as an exact integer: `cpu` in milli-cores, everything else in its base unit (bytes, counts). A
 * name that is absent is zero. Exact below 2^53, which is 9 PB of memory.
 */
export type Resources = Readonly<Record<string, number>>;
