/** The environment variable that a value sets; as the chart's `snakecase | upper`. */
export const variableOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
