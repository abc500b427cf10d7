/** Condition types of a NodePool. `Ready` is true when the first two are. */
export const nodePoolConditions = {
  validationSucceeded: 'ValidationSucceeded',
  nodeClassReady: 'NodeClassReady',
  nodeRegistrationHealthy: 'NodeRegistrationHealthy',
  ready: 'Ready',
} as const;
