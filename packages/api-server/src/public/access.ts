/** Who asks. A service account is `system:serviceaccount:<namespace>:<name>`. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** A request that was authorized, allowed or not. Repeated requests are recorded once. */
export interface Access {
  readonly user: string;
  /** A Kubernetes verb: `get`, `list`, `watch`, `create`, … */
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** Plural, with its subresource: `pods/eviction`. */
  readonly resource: string;
  /** Absent for what has none, and for all namespaces at once. */
  readonly namespace: string | undefined;
  /** Of the object, while it is the only one that was named; absent where several were, or none. */
  readonly name: string | undefined;
  readonly wasAllowed: boolean;
}

/** Who may do what. */
export interface AccessControl {
  /** A kubeconfig (YAML) whose current context is this server, with a token of this user. */
  kubeconfigOf(user: User): string;
  /**
   * Accesses to objects over HTTP so far, and further permissions that requests needed, in the order of their first
   * request.
   */
  accesses(): readonly Access[];
}

/** The user that pods of a service account are. */
export const serviceAccountUser = (namespace: string, name: string): User => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
});
