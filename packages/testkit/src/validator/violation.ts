/** A rule of Kubernetes, or of a NodePool, that a plan breaks. */
export interface Violation {
  readonly rule:
    | 'each-pod-once'
    | 'readable'
    | 'known-place'
    | 'resources'
    | 'node-labels'
    | 'taints'
    | 'host-ports'
    | 'volumes'
    | 'devices'
    | 'offering'
    | 'limits'
    | 'topology'
    | 'min-values'
    | 'reservations'
    | 'pod-group'
    | 'cheapest-first'
    | 'price';
  /** Pod, node or pool that it is about. */
  readonly subject: string;
  readonly detail: string;
}
