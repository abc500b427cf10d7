const missing = (index: number, length: number): never => {
  throw new RangeError(`there is no cell ${index}: the column has ${length}`);
};

/**
 * The amount in a cell. A cell that is not there is a bug and throws; read as zero, it would make plans wrong without a
 * sign. One function for each kind of array: a shared one would slow the loops that read millions of cells.
 */
export const amountAt = (cells: Float64Array, index: number): number => cells[index] ?? missing(index, cells.length);

/** The item of a list. An item that is not there is a bug and throws. */
export const itemAt = <T>(items: readonly T[], index: number): T & {} => items[index] ?? missing(index, items.length);

/** The number of a resource, a row or a pod batch in a cell. A cell that is not there is a bug and throws. */
export const idAt = (cells: Int32Array, index: number): number => cells[index] ?? missing(index, cells.length);

/** A word of a bit set. A word that is not there is a bug and throws. */
export const wordAt = (words: Uint32Array, index: number): number => words[index] ?? missing(index, words.length);

/** Adds to the amount in a cell; a cell that is not there throws. */
export const addAt = (cells: Float64Array, index: number, amount: number): void => {
  cells[index] = amountAt(cells, index) + amount;
};
