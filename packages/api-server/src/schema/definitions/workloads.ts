/** apps/v1, batch/v1 and policy/v1, in the notation of `parse-definitions.ts`. */
export const WORKLOADS = `
@ io.k8s.api.apps.v1
Deployment { apiVersion string; kind string; metadata ObjectMeta; spec DeploymentSpec; status DeploymentStatus }
DeploymentSpec { minReadySeconds int32; paused bool; progressDeadlineSeconds int32; replicas int32; revisionHistoryLimit int32; selector! LabelSelector;
  strategy DeploymentStrategy^; template! PodTemplateSpec }
DeploymentStrategy { rollingUpdate RollingUpdateDeployment; type string }
RollingUpdateDeployment { maxSurge intstr; maxUnavailable intstr }
DeploymentStatus { availableReplicas int32; collisionCount int32; conditions []DeploymentCondition=type; observedGeneration int64; readyReplicas int32;
  replicas int32; terminatingReplicas int32; unavailableReplicas int32; updatedReplicas int32 }
DeploymentCondition { lastTransitionTime time; lastUpdateTime time; message string; reason string; status! string; type! string }
ReplicaSet { apiVersion string; kind string; metadata ObjectMeta; spec ReplicaSetSpec; status ReplicaSetStatus }
ReplicaSetSpec { minReadySeconds int32; replicas int32; selector! LabelSelector; template PodTemplateSpec }
ReplicaSetStatus { availableReplicas int32; conditions []ReplicaSetCondition=type; fullyLabeledReplicas int32; observedGeneration int64; readyReplicas int32;
  replicas! int32; terminatingReplicas int32 }
ReplicaSetCondition { lastTransitionTime time; message string; reason string; status! string; type! string }
DaemonSet { apiVersion string; kind string; metadata ObjectMeta; spec DaemonSetSpec; status DaemonSetStatus }
DaemonSetSpec { minReadySeconds int32; revisionHistoryLimit int32; selector! LabelSelector; template! PodTemplateSpec; updateStrategy DaemonSetUpdateStrategy }
DaemonSetUpdateStrategy { rollingUpdate RollingUpdateDaemonSet; type string }
RollingUpdateDaemonSet { maxSurge intstr; maxUnavailable intstr }
DaemonSetStatus { collisionCount int32; conditions []DaemonSetCondition=type; currentNumberScheduled! int32; desiredNumberScheduled! int32; numberAvailable int32;
  numberMisscheduled! int32; numberReady! int32; numberUnavailable int32; observedGeneration int64; updatedNumberScheduled int32 }
DaemonSetCondition { lastTransitionTime time; message string; reason string; status! string; type! string }
StatefulSet { apiVersion string; kind string; metadata ObjectMeta; spec StatefulSetSpec; status StatefulSetStatus }
StatefulSetSpec { minReadySeconds int32; ordinals StatefulSetOrdinals; persistentVolumeClaimRetentionPolicy StatefulSetPersistentVolumeClaimRetentionPolicy;
  podManagementPolicy string; replicas int32; revisionHistoryLimit int32; selector! LabelSelector; serviceName string; template! PodTemplateSpec;
  updateStrategy StatefulSetUpdateStrategy; volumeClaimTemplates []PersistentVolumeClaim }
StatefulSetOrdinals { start int32 }
StatefulSetPersistentVolumeClaimRetentionPolicy { whenDeleted string; whenScaled string }
StatefulSetUpdateStrategy { rollingUpdate RollingUpdateStatefulSetStrategy; type string }
RollingUpdateStatefulSetStrategy { maxUnavailable intstr; partition int32 }
StatefulSetStatus { availableReplicas int32; collisionCount int32; conditions []StatefulSetCondition=type; currentReplicas int32; currentRevision string;
  observedGeneration int64; readyReplicas int32; replicas! int32; updateRevision string; updatedReplicas int32 }
StatefulSetCondition { lastTransitionTime time; message string; reason string; status! string; type! string }
ControllerRevision { apiVersion string; data any; kind string; metadata ObjectMeta; revision! int64 }
@ io.k8s.api.batch.v1
Job { apiVersion string; kind string; metadata ObjectMeta; spec JobSpec; status JobStatus }
JobSpec { activeDeadlineSeconds int64; backoffLimit int32; backoffLimitPerIndex int32; completionMode string; completions int32; managedBy string; manualSelector bool;
  maxFailedIndexes int32; parallelism int32; podFailurePolicy PodFailurePolicy; podReplacementPolicy string; selector LabelSelector; successPolicy SuccessPolicy;
  suspend bool; template! PodTemplateSpec; ttlSecondsAfterFinished int32 }
PodFailurePolicy { rules! []PodFailurePolicyRule }
PodFailurePolicyRule { action! string; onExitCodes PodFailurePolicyOnExitCodesRequirement; onPodConditions []PodFailurePolicyOnPodConditionsPattern }
PodFailurePolicyOnExitCodesRequirement { containerName string; operator! string; values! []int32* }
PodFailurePolicyOnPodConditionsPattern { status string; type! string }
SuccessPolicy { rules! []SuccessPolicyRule }
SuccessPolicyRule { succeededCount int32; succeededIndexes string }
JobStatus { active int32; completedIndexes string; completionTime time; conditions []JobCondition=type; failed int32; failedIndexes string; ready int32; startTime time;
  succeeded int32; terminating int32; uncountedTerminatedPods UncountedTerminatedPods }
JobCondition { lastProbeTime time; lastTransitionTime time; message string; reason string; status! string; type! string }
UncountedTerminatedPods { failed []string*; succeeded []string* }
CronJob { apiVersion string; kind string; metadata ObjectMeta; spec CronJobSpec; status CronJobStatus }
CronJobSpec { concurrencyPolicy string; failedJobsHistoryLimit int32; jobTemplate! JobTemplateSpec; schedule! string; startingDeadlineSeconds int64;
  successfulJobsHistoryLimit int32; suspend bool; timeZone string }
JobTemplateSpec { metadata ObjectMeta; spec JobSpec }
CronJobStatus { active []ObjectReference; lastScheduleTime time; lastSuccessfulTime time }
@ io.k8s.api.policy.v1
PodDisruptionBudget { apiVersion string; kind string; metadata ObjectMeta; spec PodDisruptionBudgetSpec; status PodDisruptionBudgetStatus }
PodDisruptionBudgetSpec { maxUnavailable intstr; minAvailable intstr; selector LabelSelector; unhealthyPodEvictionPolicy string }
PodDisruptionBudgetStatus { conditions []Condition=type; currentHealthy! int32; desiredHealthy! int32; disruptedPods {}time; disruptionsAllowed! int32;
  expectedPods! int32; observedGeneration int64 }
Eviction { apiVersion string; deleteOptions DeleteOptions; kind string; metadata ObjectMeta }
`;
