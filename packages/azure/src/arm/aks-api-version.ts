/**
 * The api-version of what the stable SDK does not have of AKS: machines of agent pools, and versions of node images.
 * AKS refuses a member that a version does not know, and ends a preview about a year after its date: this one has
 * all that `aks-machines/aks-machine.ts` writes.
 */
export const AKS_API_VERSION = '2026-08-02-preview';
