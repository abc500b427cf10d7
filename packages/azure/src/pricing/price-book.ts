/** USD an hour by size name (`Standard_D2s_v3`). A size without an entry has no known price. */
export interface PriceBook {
  readonly onDemand: ReadonlyMap<string, number>;
  readonly spot: ReadonlyMap<string, number>;
}
