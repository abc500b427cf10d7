/** The names that a list has more than once, each once. */
export const duplicateNames = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) < index)),
];
