import type { Condition, ObjectMeta } from '../kube/index.ts';

/**
 * karpenter.sh/v1alpha1 RebalancePlan as plain JSON: asks the controller to rebalance the cluster, wave by wave. Its
 * status holds all that the controller has to know after a restart. Differs: the original has no such kind.
 */
export interface RebalancePlan {
  readonly apiVersion: 'karpenter.sh/v1alpha1';
  readonly kind: 'RebalancePlan';
  readonly metadata: ObjectMeta;
  readonly spec: {
    /** Pods that move, all waves together. Default: any number. */
    readonly maxMoves?: number;
    /** Dollars an hour, as a decimal: once so much is saved, no further wave starts. Default: as much as there is. */
    readonly targetSavingsPerHour?: string;
    /**
     * No further wave starts; a wave whose machines are being launched or whose nodes drain is carried through. Default
     * false.
     */
    readonly paused?: boolean;
    /**
     * Ends the plan for good: no further wave starts, and a wave whose nodes do not drain yet is taken back. Default false.
     */
    readonly cancelled?: boolean;
  };
  readonly status?: {
    readonly phase?: 'Pending' | 'Running' | 'Paused' | 'Completed' | 'Cancelled';
    /** What the controller does or waits for. */
    readonly message?: string;
    readonly completionTime?: string;
    /** Waves whose nodes are gone. */
    readonly waves?: number;
    readonly nodes?: number;
    readonly pods?: number;
    /** Dollars an hour that the waves have saved, by the prices of the machines that came. */
    readonly savingsPerHour?: string;
    /** Dollars an hour that the wave under way and those after it would save. */
    readonly plannedSavingsPerHour?: string;
    /** The wave under way, written before any of its nodes is touched. */
    readonly wave?: {
      readonly startTime: string;
      /** `price`: dollars an hour. */
      readonly nodes: readonly { readonly name: string; readonly nodeClaim: string; readonly price: string }[];
      /** Machines that come before the nodes go. */
      readonly machines: number;
      /** Pods that move. */
      readonly pods: number;
    };
    /** After a wave that was called off: no other starts before. */
    readonly retryTime?: string;
    readonly conditions?: readonly Condition[];
  };
}

export const rebalancePlanConditions = { progressing: 'Progressing', complete: 'Complete' } as const;
