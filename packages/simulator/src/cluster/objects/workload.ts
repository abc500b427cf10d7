import type { Condition } from '@karpenter/core';
import type { LabelSelector } from '@karpenter/core/internal';
import type { KindRef, ApiObject, ApiObjectMeta } from '@karpenter/api-server';
import type { WorkloadPodSpec } from './pod.ts';

export interface WorkloadPodTemplate {
  readonly metadata?: Pick<ApiObjectMeta, 'labels' | 'annotations'>;
  readonly spec: WorkloadPodSpec;
}

/** Counts and conditions of any workload's status. */
export interface WorkloadStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly [member: string]: unknown;
}

export interface WorkloadSpec {
  readonly replicas?: number;
  readonly selector?: LabelSelector;
  readonly template: WorkloadPodTemplate;
}

export interface WorkloadObject extends ApiObject {
  readonly spec: WorkloadSpec;
  readonly status?: WorkloadStatus;
}

export type ReplicaSet = WorkloadObject;

export interface Deployment extends WorkloadObject {
  readonly spec: WorkloadSpec & {
    readonly paused?: boolean;
    readonly revisionHistoryLimit?: number;
    readonly strategy?: {
      readonly type?: 'Recreate' | 'RollingUpdate';
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
  };
}

export interface StatefulSet extends WorkloadObject {
  readonly spec: WorkloadSpec & {
    readonly serviceName?: string;
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
    readonly updateStrategy?: { readonly type?: 'OnDelete' | 'RollingUpdate' };
    readonly volumeClaimTemplates?: readonly { readonly metadata: ApiObjectMeta; readonly spec: Readonly<Record<string, unknown>> }[];
  };
}

export interface DaemonSetObject extends WorkloadObject {
  readonly spec: WorkloadSpec & {
    readonly updateStrategy?: {
      readonly type?: 'OnDelete' | 'RollingUpdate';
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string };
    };
  };
}

export interface Job extends WorkloadObject {
  readonly spec: WorkloadSpec & {
    readonly completions?: number;
    readonly parallelism?: number;
    readonly backoffLimit?: number;
    readonly suspend?: boolean;
  };
}

export interface CronJob extends ApiObject {
  readonly spec: {
    readonly schedule: string;
    readonly suspend?: boolean;
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: { readonly metadata?: ApiObjectMeta; readonly spec: Job['spec'] };
  };
  readonly status?: WorkloadStatus & { readonly lastScheduleTime?: string };
}

export interface PodDisruptionBudgetObject extends ApiObject {
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
  };
  readonly status?: WorkloadStatus;
}

export const deployments: KindRef<Deployment> = { kind: 'Deployment', apiVersion: 'apps/v1' };
export const replicaSets: KindRef<ReplicaSet> = { kind: 'ReplicaSet', apiVersion: 'apps/v1' };
export const statefulSets: KindRef<StatefulSet> = { kind: 'StatefulSet', apiVersion: 'apps/v1' };
export const daemonSets: KindRef<DaemonSetObject> = { kind: 'DaemonSet', apiVersion: 'apps/v1' };
export const jobs: KindRef<Job> = { kind: 'Job', apiVersion: 'batch/v1' };
export const cronJobs: KindRef<CronJob> = { kind: 'CronJob', apiVersion: 'batch/v1' };
export const podDisruptionBudgets: KindRef<PodDisruptionBudgetObject> = { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1' };
