/**
 * Order of two resource versions of one cluster: negative when `a` is older. Kubernetes promises since 1.35 (KEP-5504)
 * that they are decimal numbers that may be compared; they may exceed 2^53, so they are compared as text.
 */
export const compareResourceVersions = (a: string, b: string): number => {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
