/** `1.34.2` of `v1.34.2-hotfix.1`: the suffix distinguishes builds, and the builds of API server and kubelets may differ. */
export const releaseOf = (version: string): string => version.replace(/^v/, '').replace(/[+-].*$/, '');
