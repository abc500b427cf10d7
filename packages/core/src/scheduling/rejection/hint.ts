/** What would help a pod that no NodePool could take. Amounts: cpu in thousandths, memory in bytes, else counts. */
export type Hint =
  /** More than any instance type of any pool leaves for pods. `meant`: the quantity that was probably meant. */
  | { readonly kind: 'too-large'; readonly resource: string; readonly wanted: number; readonly most: number; readonly meant?: string }
  | { readonly kind: 'unknown-resource'; readonly resource: string; readonly nearest?: string }
  /** A label that no pool sets and no provider knows. */
  | { readonly kind: 'unknown-label'; readonly key: string; readonly nearest?: string }
  /** Values that no pool allows. `offered`: those that some pool does, by name. */
  | {
      readonly kind: 'unknown-value';
      readonly key: string;
      readonly values: readonly string[];
      readonly offered: readonly string[];
      readonly nearest?: string;
    };
