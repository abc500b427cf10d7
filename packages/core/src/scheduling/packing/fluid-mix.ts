import type { MachineOption } from './unit-prices.ts';

/** The cheapest fractions of machines that together hold a load, and what a unit of each resource is worth at that. */
export interface FluidMix {
  /** Option → how many of it, with fractions; most are zero. */
  readonly amounts: Float64Array;
  /** Resource → the dual price of a unit. No option is worth more than it costs. */
  readonly unitPrices: Float64Array;
  readonly cost: number;
}

const EPSILON = 1e-9;
const MOST_PIVOTS = 200;

/**
 * The dictionary of the dual problem: one row for each option (what it costs covers what it is worth), a last row for the objective, one column for
 * each resource and a last one for constants. Prices of zero are a feasible start, so that no first phase is needed.
 */
class Dictionary {
  readonly #width: number;
  readonly #objective: number;
  readonly #rows: readonly Float64Array[];
  /** What is basic in each row: an option's slack (its number), or a resource's price (options + its number). Columns likewise. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;

  constructor(rows: readonly Float64Array[], costs: Float64Array, width: number) {
    this.#width = width;
    this.#objective = rows.length;
    this.#rows = [...rows.map((row, index) => Float64Array.of(...row, costs[index] ?? 0)), new Float64Array(width + 1).fill(-1, 0, width)];
    this.rowOf = Int32Array.from(rows.keys());
    this.columnOf = Int32Array.from({ length: width }, (_, index) => rows.length + index);
  }

  constantOf(row: number): number {
    return this.#rows[row]?.[this.#width] ?? 0;
  }

  get value(): number {
    return this.constantOf(this.#objective);
  }

  /** How much the objective loses for each unit of what stands in the column. */
  lossOf(column: number): number {
    return this.#rows[this.#objective]?.[column] ?? 0;
  }

  /** The column with the most to gain; -1 at the optimum. */
  entering(): number {
    let best = -1;
    for (let column = 0; column < this.#width; column++) {
      if (this.lossOf(column) < (best < 0 ? -EPSILON : this.lossOf(best))) best = column;
    }
    return best;
  }

  /** The row that limits the column first; -1 when none does. */
  leaving(column: number): number {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let row = 0; row < this.#objective; row++) {
      const cell = this.#rows[row]?.[column] ?? 0;
      const ratio = cell <= EPSILON ? Number.POSITIVE_INFINITY : this.constantOf(row) / cell;
      if (ratio < least) [best, least] = [row, ratio];
    }
    return best;
  }

  /** What is basic in the row changes places with what stands in the column. */
  pivot(row: number, column: number): void {
    const pivotal = this.#rows[row];
    if (pivotal === undefined) return;
    const pivot = pivotal[column] ?? 1;
    for (const [each, cell] of pivotal.entries()) pivotal[each] = each === column ? 1 / pivot : cell / pivot;
    for (const other of this.#rows) if (other !== pivotal) substitute(other, pivotal, column);
    [this.rowOf[row], this.columnOf[column]] = [this.columnOf[column] ?? 0, this.rowOf[row] ?? 0];
  }
}

const substitute = (row: Float64Array, pivotal: Float64Array, column: number): void => {
  const factor = row[column] ?? 0;
  if (factor === 0) return;
  row[column] = 0;
  for (let each = 0; each < row.length; each++) row[each] = (row[each] ?? 0) - factor * (pivotal[each] ?? 0);
};

/** Solves the fluid problem exactly, by the simplex method on its dual. Undefined when some resource is in no option. `costs`: option → dollars an hour. */
export const fluidMix = (totals: Float64Array, options: readonly MachineOption[], costs: Float64Array): FluidMix | undefined => {
  const wanted = [...totals.keys()].filter((resource) => (totals[resource] ?? 0) > 0);
  const rows = options.map(({ amounts }) => Float64Array.from(wanted, (resource) => (amounts[resource] ?? 0) / (totals[resource] ?? 1)));
  const dictionary = new Dictionary(rows, costs, wanted.length);
  for (let pivots = 0, column = dictionary.entering(); column >= 0; column = dictionary.entering()) {
    const row = dictionary.leaving(column);
    if (row < 0 || ++pivots > MOST_PIVOTS) return undefined;
    dictionary.pivot(row, column);
  }
  const amounts = new Float64Array(options.length);
  dictionary.columnOf.forEach((what, column) => {
    if (what < options.length) amounts[what] = Math.max(0, dictionary.lossOf(column));
  });
  const unitPrices = new Float64Array(totals.length);
  dictionary.rowOf.forEach((what, row) => {
    const resource = wanted[what - options.length];
    if (resource !== undefined) unitPrices[resource] = dictionary.constantOf(row) / (totals[resource] ?? 1);
  });
  return { amounts, unitPrices, cost: dictionary.value };
};
