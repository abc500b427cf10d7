/** The moment as `metav1.Time`: whole seconds. */
export const apiTimeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
