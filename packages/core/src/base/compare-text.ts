/** Orders texts by UTF-16 code units: the same everywhere, whatever the locale. Ends every sort on a name. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
