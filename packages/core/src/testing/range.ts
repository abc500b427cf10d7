/** The numbers from 0 up to `count`, without `count`. */
export const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
