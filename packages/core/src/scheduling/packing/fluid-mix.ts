import { amountAt, idAt, itemAt, ROUNDING } from '../../base/index.ts';
import type { MachineOption } from './unit-prices.ts';

/** The cheapest fractions of machines that together hold a load, and what a unit of each resource is worth at that. */
export interface FluidMix {
  /** Option → how many of it, with fractions; most are zero. */
  readonly amounts: Float64Array;
  /** Resource → the dual price of a unit. No option is worth more than it costs. */
  readonly unitPrices: Float64Array;
  readonly cost: number;
}

const MOST_PIVOTS = 200;

/** The resources that the load requests, and the total of every resource. */
interface Wanted {
  readonly wanted: readonly number[];
  readonly totals: Float64Array;
}

/**
 * The dictionary of the dual problem. One row for each option (its price covers its worth), a last row for the
 * objective. One column for each resource, a last one for constants. Prices of zero are a feasible start, so that no
 * first phase is needed. The rows stand in one array, one after the other: a search for mixes solves hundreds of
 * these problems.
 */
class Dictionary {
  readonly #width: number;
  /** From one row to the next. */
  readonly #stride: number;
  readonly #objective: number;
  readonly #cells: Float64Array;
  /**
   * What is basic in each row: an option's slack (its number), or a resource's price (options + its number). Columns
   * likewise.
   */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;

  constructor(options: readonly MachineOption[], costs: Float64Array, { wanted, totals }: Wanted) {
    const width = wanted.length;
    this.#width = width;
    this.#stride = width + 1;
    this.#objective = options.length;
    this.#cells = new Float64Array((options.length + 1) * this.#stride);
    this.rowOf = new Int32Array(options.length);
    this.columnOf = new Int32Array(width);
    for (let column = 0; column < width; column++) this.columnOf[column] = options.length + column;
    for (let row = 0; row < options.length; row++) {
      this.rowOf[row] = row;
      this.#cells[row * this.#stride + width] = amountAt(costs, row);
    }
    // Of each resource that is wanted, the share that the option has of the load.
    for (let column = 0; column < width; column++) {
      const resource = itemAt(wanted, column);
      const total = amountAt(totals, resource);
      let cell = column;
      for (const { amounts } of options) {
        this.#cells[cell] = amountAt(amounts, resource) / total;
        cell += this.#stride;
      }
    }
    this.#cells.fill(-1, this.#objective * this.#stride, this.#objective * this.#stride + width);
  }

  constantOf(row: number): number {
    return amountAt(this.#cells, row * this.#stride + this.#width);
  }

  get value(): number {
    return this.constantOf(this.#objective);
  }

  /** How much the objective loses for each unit of what stands in the column. */
  lossOf(column: number): number {
    return amountAt(this.#cells, this.#objective * this.#stride + column);
  }

  /** The column with the most to gain; -1 at the optimum. */
  entering(): number {
    let best = -1;
    for (let column = 0; column < this.#width; column++) {
      if (this.lossOf(column) < (best < 0 ? -ROUNDING : this.lossOf(best))) best = column;
    }
    return best;
  }

  /** The row that limits the column first; -1 when none does. */
  leaving(column: number): number {
    const cells = this.#cells;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let row = 0, start = 0; row < this.#objective; row++, start += this.#stride) {
      const cell = amountAt(cells, start + column);
      if (cell <= ROUNDING) continue;
      const ratio = amountAt(cells, start + this.#width) / cell;
      if (ratio < least) {
        best = row;
        least = ratio;
      }
    }
    return best;
  }

  /** What is basic in the row changes places with what stands in the column. */
  pivot(row: number, column: number): void {
    const cells = this.#cells;
    const pivotal = row * this.#stride;
    const pivot = amountAt(cells, pivotal + column);
    for (let each = 0; each < this.#stride; each++)
      cells[pivotal + each] = each === column ? 1 / pivot : amountAt(cells, pivotal + each) / pivot;
    for (let other = 0; other <= this.#objective; other++) if (other !== row) this.#substitute(other, row, column);
    const basic = idAt(this.rowOf, row);
    this.rowOf[row] = idAt(this.columnOf, column);
    this.columnOf[column] = basic;
  }

  #substitute(row: number, pivotalRow: number, column: number): void {
    const cells = this.#cells;
    const [start, pivotal] = [row * this.#stride, pivotalRow * this.#stride];
    const factor = amountAt(cells, start + column);
    if (factor === 0) return;
    cells[start + column] = 0;
    for (let each = 0; each < this.#stride; each++)
      cells[start + each] = amountAt(cells, start + each) - factor * amountAt(cells, pivotal + each);
  }
}

/**
 * Resource → the price at which it is basic; zero where it is not. There are many rows, and all but a few belong to
 * options.
 */
const unitPricesIn = (dictionary: Dictionary, { wanted, totals }: Wanted): Float64Array => {
  const { rowOf } = dictionary;
  const unitPrices = new Float64Array(totals.length);
  for (let row = 0; row < rowOf.length; row++) {
    const what = idAt(rowOf, row);
    if (what < rowOf.length) continue;
    const resource = itemAt(wanted, what - rowOf.length);
    unitPrices[resource] = dictionary.constantOf(row) / amountAt(totals, resource);
  }
  return unitPrices;
};

/**
 * Solves the fluid problem exactly, by the simplex method on its dual. Undefined when some resource is in no option.
 * `costs`: option → dollars an hour.
 */
export const fluidMix = (totals: Float64Array, options: readonly MachineOption[], costs: Float64Array): FluidMix | undefined => {
  const wanted = [...totals.keys()].filter((resource) => amountAt(totals, resource) > 0);
  const dictionary = new Dictionary(options, costs, { wanted, totals });
  for (let pivots = 0, column = dictionary.entering(); column >= 0; column = dictionary.entering()) {
    const row = dictionary.leaving(column);
    if (row < 0 || ++pivots > MOST_PIVOTS) return undefined;
    dictionary.pivot(row, column);
  }
  const amounts = new Float64Array(options.length);
  for (const [column, what] of dictionary.columnOf.entries())
    if (what < options.length) amounts[what] = Math.max(0, dictionary.lossOf(column));
  return { amounts, unitPrices: unitPricesIn(dictionary, { wanted, totals }), cost: dictionary.value };
};
