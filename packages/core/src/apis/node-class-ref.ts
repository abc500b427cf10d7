/** Names the provider's object (say, an AKSNodeClass) that says how machines are made. */
export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}
