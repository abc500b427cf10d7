/** A moment as `metav1.Time`, to the second: `2026-01-01T00:00:00Z`. */
export const kubeTime = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`;

/** A moment as `metav1.MicroTime`, which leases use: six decimals, three of them zero. */
export const microTime = (epochMs: number): string => new Date(epochMs).toISOString().replace('Z', '000Z');
