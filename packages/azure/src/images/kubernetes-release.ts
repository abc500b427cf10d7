/** `1.34.2` of `v1.34.2-hotfix.1`: what comes after it tells builds apart, of which API server and kubelets need not have the same. */
export const releaseOf = (version: string): string => version.replace(/^v/, '').replace(/[+-].*$/, '');
