/**
 * Writing a pod's end and its length into its annotations: how long it runs before it succeeds, how long it takes to
 * stop. Whole seconds.
 */
export const podAnnotations = {
  runSeconds: 'simulator.karpenter.sh/run-seconds',
  stopSeconds: 'simulator.karpenter.sh/stop-seconds',
} as const;
