/**
 * Protobuf field numbers of the types that kubectl's own `create` commands send, as names in the order of their numbers (`-` for a number that
 * is not used here). Source: the `generated.proto` files of k8s.io/api and k8s.io/apimachinery.
 */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  ObjectMeta:
    'name generateName namespace - uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers',
  OwnerReference: 'kind - name uid apiVersion controller blockOwnerDeletion',
  LabelSelector: 'matchLabels matchExpressions',
  LabelSelectorRequirement: 'key operator values',
  Namespace: 'metadata spec status',
  NamespaceSpec: 'finalizers',
  ConfigMap: 'metadata data binaryData immutable',
  Secret: 'metadata data type stringData immutable',
  ServiceAccount: 'metadata secrets imagePullSecrets automountServiceAccountToken',
  ResourceQuota: 'metadata spec status',
  ResourceQuotaSpec: 'hard scopes',
  Deployment: 'metadata spec status',
  DeploymentSpec: 'replicas selector template strategy minReadySeconds revisionHistoryLimit paused - progressDeadlineSeconds',
  DeploymentStrategy: 'type rollingUpdate',
  RollingUpdateDeployment: 'maxUnavailable maxSurge',
  PodTemplateSpec: 'metadata spec',
  PodSpec:
    'volumes containers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount nodeName hostNetwork hostPID hostIPC',
  Container: 'name image command args workingDir ports env resources volumeMounts - - - terminationMessagePath imagePullPolicy',
  ContainerPort: 'name hostPort containerPort protocol hostIP',
  EnvVar: 'name value',
  ResourceRequirements: 'limits requests',
  Job: 'metadata spec status',
  JobSpec: 'parallelism completions activeDeadlineSeconds selector manualSelector template backoffLimit ttlSecondsAfterFinished',
  PodDisruptionBudget: 'metadata spec status',
  PodDisruptionBudgetSpec: 'minAvailable selector maxUnavailable unhealthyPodEvictionPolicy',
  PriorityClass: 'metadata value globalDefault description preemptionPolicy',
  Eviction: 'metadata deleteOptions',
  DeleteOptions: 'gracePeriodSeconds preconditions orphanDependents propagationPolicy dryRun',
  Preconditions: 'uid resourceVersion',
};
