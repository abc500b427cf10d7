/** Condition types of a NodePool. `Ready` is true when the first two are. */
export const nodePoolConditions = {
  validationSucceeded: 'ValidationSucceeded',
  nodeClassReady: 'NodeClassReady',
  nodeRegistrationHealthy: 'NodeRegistrationHealthy',
  /** Ours: launches fail again and again, so there is a pause before the next try. No part of `Ready`. */
  launchBackoff: 'LaunchBackoff',
  /** Ours: whether any instance type meets the pool's requirements, with counts. No part of `Ready`. */
  instanceTypesMatch: 'InstanceTypesMatch',
  /** Ours: whether the nodes of a pool with `spec.minimum` reach it. No part of `Ready`. */
  minimumMet: 'MinimumMet',
  ready: 'Ready',
} as const;
