/** Condition types of a NodePool. `Ready` is true when the first two are. */
export const nodePoolConditions = {
  validationSucceeded: 'ValidationSucceeded',
  nodeClassReady: 'NodeClassReady',
  nodeRegistrationHealthy: 'NodeRegistrationHealthy',
  /** Ours: what is launched is given up again and again, so there is a pause before the next try. No part of `Ready`. */
  launchBackoff: 'LaunchBackoff',
  ready: 'Ready',
} as const;
