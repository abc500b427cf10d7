/**
 * Protobuf field numbers of the built-in types: `Type first second …`, the names of its fields in the order of their
 * numbers, under `@ package` lines. `-` is a number without a field, `^Type` a message whose fields stand in JSON
 * beside the others. A status is not sent by clients that create. Source: the `generated.proto` files of k8s.io/api and
 * k8s.io/apimachinery 0.35.
 */
const FIELD_NUMBERS = `
@ io.k8s.apimachinery.pkg.apis.meta.v1
ObjectMeta name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers - - managedFields
ManagedFieldsEntry manager operation apiVersion time - fieldsType fieldsV1 subresource
OwnerReference kind - name uid apiVersion controller blockOwnerDeletion
ListMeta selfLink resourceVersion continue remainingItemCount
LabelSelector matchLabels matchExpressions
LabelSelectorRequirement key operator values
Condition type status observedGeneration lastTransitionTime reason message
DeleteOptions gracePeriodSeconds preconditions orphanDependents propagationPolicy dryRun ignoreStoreReadErrorWithClusterBreakingPotential
Preconditions uid resourceVersion
StatusDetails name group kind causes retryAfterSeconds uid
StatusCause reason message field
@ io.k8s.api.autoscaling.v1
Scale metadata spec status
ScaleSpec replicas
@ io.k8s.api.core.v1
Pod metadata spec status
PodTemplate metadata template
PodTemplateSpec metadata spec
PodSpec volumes containers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount nodeName hostNetwork hostPID hostIPC securityContext imagePullSecrets hostname subdomain affinity schedulerName initContainers automountServiceAccountToken tolerations hostAliases priorityClassName priority dnsConfig shareProcessNamespace readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints ephemeralContainers setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride
PodOS name
PodReadinessGate conditionType
PodSchedulingGate name
PodResourceClaim name - resourceClaimName resourceClaimTemplateName
PodDNSConfig nameservers searches options
PodDNSConfigOption name value
HostAlias ip hostnames
LocalObjectReference name
Toleration key operator value effect tolerationSeconds
TopologySpreadConstraint maxSkew topologyKey whenUnsatisfiable labelSelector minDomains nodeAffinityPolicy nodeTaintsPolicy matchLabelKeys
PodSecurityContext seLinuxOptions runAsUser runAsNonRoot supplementalGroups fsGroup runAsGroup sysctls windowsOptions fsGroupChangePolicy seccompProfile appArmorProfile supplementalGroupsPolicy seLinuxChangePolicy
SecurityContext capabilities privileged seLinuxOptions runAsUser runAsNonRoot readOnlyRootFilesystem allowPrivilegeEscalation runAsGroup procMount windowsOptions seccompProfile appArmorProfile
AppArmorProfile type localhostProfile
SeccompProfile type localhostProfile
SELinuxOptions user role type level
WindowsSecurityContextOptions gmsaCredentialSpecName gmsaCredentialSpec runAsUserName hostProcess
Capabilities add drop
Sysctl name value
Affinity nodeAffinity podAffinity podAntiAffinity
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution
PreferredSchedulingTerm weight preference
NodeSelector nodeSelectorTerms
NodeSelectorTerm matchExpressions matchFields
NodeSelectorRequirement key operator values
PodAffinity requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution
WeightedPodAffinityTerm weight podAffinityTerm
PodAffinityTerm labelSelector namespaces topologyKey namespaceSelector matchLabelKeys mismatchLabelKeys
Container name image command args workingDir ports env resources volumeMounts livenessProbe readinessProbe lifecycle terminationMessagePath imagePullPolicy securityContext stdin stdinOnce tty envFrom terminationMessagePolicy volumeDevices startupProbe resizePolicy restartPolicy restartPolicyRules
EphemeralContainerCommon name image command args workingDir ports env resources volumeMounts livenessProbe readinessProbe lifecycle terminationMessagePath imagePullPolicy securityContext stdin stdinOnce tty envFrom terminationMessagePolicy volumeDevices startupProbe resizePolicy restartPolicy restartPolicyRules
EphemeralContainer ^EphemeralContainerCommon targetContainerName
ContainerResizePolicy resourceName restartPolicy
ContainerRestartRule action exitCodes
ContainerRestartRuleOnExitCodes operator values
ContainerPort name hostPort containerPort protocol hostIP
EnvVar name value valueFrom
EnvVarSource fieldRef resourceFieldRef configMapKeyRef secretKeyRef fileKeyRef
FileKeySelector volumeName path key optional
ConfigMapKeySelector ^LocalObjectReference key optional
SecretKeySelector ^LocalObjectReference key optional
ObjectFieldSelector apiVersion fieldPath
ResourceFieldSelector containerName resource divisor
EnvFromSource prefix configMapRef secretRef
ConfigMapEnvSource ^LocalObjectReference optional
SecretEnvSource ^LocalObjectReference optional
Lifecycle postStart preStop stopSignal
LifecycleHandler exec httpGet tcpSocket sleep
ExecAction command
HTTPGetAction path port host scheme httpHeaders
HTTPHeader name value
SleepAction seconds
TCPSocketAction port host
GRPCAction port service
ProbeHandler exec httpGet tcpSocket grpc
Probe ^ProbeHandler initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold terminationGracePeriodSeconds
ResourceRequirements limits requests claims
ResourceClaim name request
VolumeDevice name devicePath
VolumeMount name readOnly mountPath subPath mountPropagation subPathExpr recursiveReadOnly
ContainerExtendedResourceRequest containerName resourceName requestName
PodCondition type status lastProbeTime lastTransitionTime reason message observedGeneration
PodIP ip
HostIP ip
ResourceHealth resourceID health
ContainerUser linux
LinuxContainerUser uid gid supplementalGroups
Binding metadata target
ObjectReference kind namespace name uid apiVersion resourceVersion fieldPath
TypedLocalObjectReference apiGroup kind name
TypedObjectReference apiGroup kind name namespace
VolumeSource hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO projected storageos csi ephemeral image
Volume name ^VolumeSource
AWSElasticBlockStoreVolumeSource volumeID fsType partition readOnly
AzureDiskVolumeSource diskName diskURI cachingMode fsType readOnly kind
AzureFileVolumeSource secretName shareName readOnly
GCEPersistentDiskVolumeSource pdName fsType partition readOnly
ConfigMapVolumeSource ^LocalObjectReference items defaultMode optional
SecretVolumeSource secretName items defaultMode optional
KeyToPath key path mode
CSIVolumeSource driver readOnly fsType volumeAttributes nodePublishSecretRef
DownwardAPIVolumeSource items defaultMode
DownwardAPIVolumeFile path fieldRef resourceFieldRef mode
EmptyDirVolumeSource medium sizeLimit
EphemeralVolumeSource volumeClaimTemplate
PersistentVolumeClaimTemplate metadata spec
HostPathVolumeSource path type
ImageVolumeSource reference pullPolicy
NFSVolumeSource server path readOnly
PersistentVolumeClaimVolumeSource claimName readOnly
ProjectedVolumeSource sources defaultMode
VolumeProjection secret downwardAPI configMap serviceAccountToken clusterTrustBundle podCertificate
ConfigMapProjection ^LocalObjectReference items - optional
SecretProjection ^LocalObjectReference items - optional
DownwardAPIProjection items
ServiceAccountTokenProjection audience expirationSeconds path
PersistentVolumeClaim metadata spec status
PersistentVolumeClaimSpec accessModes resources volumeName selector storageClassName volumeMode dataSource dataSourceRef volumeAttributesClassName
VolumeResourceRequirements limits requests
PersistentVolumeClaimCondition type status lastProbeTime lastTransitionTime reason message
PersistentVolume metadata spec status
PersistentVolumeSource gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd iscsi cinder cephfs fc flocker flexVolume azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO local storageos csi
PersistentVolumeSpec capacity ^PersistentVolumeSource accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName
CSIPersistentVolumeSource driver volumeHandle readOnly fsType volumeAttributes controllerPublishSecretRef nodeStageSecretRef nodePublishSecretRef controllerExpandSecretRef nodeExpandSecretRef
SecretReference name namespace
LocalVolumeSource path fsType
VolumeNodeAffinity required
Node metadata spec status
NodeSpec podCIDR externalID providerID unschedulable taints configSource podCIDRs
Taint key value effect timeAdded
NodeAddress type address
NodeCondition type status lastHeartbeatTime lastTransitionTime reason message
NodeDaemonEndpoints kubeletEndpoint
DaemonEndpoint Port
NodeFeatures supplementalGroupsPolicy
ContainerImage names sizeBytes
NodeSystemInfo machineID systemUUID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture swap
NodeRuntimeHandler name features
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts userNamespaces
AttachedVolume name devicePath
Namespace metadata spec status
NamespaceSpec finalizers
NamespaceCondition type status - lastTransitionTime reason message
Service metadata spec status
ServiceSpec ports selector clusterIP type externalIPs - sessionAffinity loadBalancerIP loadBalancerSourceRanges externalName externalTrafficPolicy healthCheckNodePort publishNotReadyAddresses sessionAffinityConfig - - ipFamilyPolicy clusterIPs ipFamilies allocateLoadBalancerNodePorts loadBalancerClass internalTrafficPolicy trafficDistribution
ServicePort name protocol port targetPort nodePort appProtocol
SessionAffinityConfig clientIP
ClientIPConfig timeoutSeconds
LoadBalancerIngress ip hostname ipMode ports
ServiceAccount metadata secrets imagePullSecrets automountServiceAccountToken
ConfigMap metadata data binaryData immutable
Secret metadata data type stringData immutable
Endpoints metadata subsets
EndpointSubset addresses notReadyAddresses ports
EndpointAddress ip targetRef hostname nodeName
EndpointPort name port protocol appProtocol
Event metadata involvedObject reason message source firstTimestamp lastTimestamp count type eventTime series action related reportingComponent reportingInstance
EventSeries count lastObservedTime
EventSource component host
LimitRange metadata spec
LimitRangeSpec limits
LimitRangeItem type max min default defaultRequest maxLimitRequestRatio
ResourceQuota metadata spec status
ResourceQuotaSpec hard scopes scopeSelector
ScopeSelector matchExpressions
ScopedResourceSelectorRequirement scopeName operator values
ReplicationController metadata spec status
ReplicationControllerSpec replicas selector template minReadySeconds
ReplicationControllerCondition type status lastTransitionTime reason message
@ io.k8s.api.apps.v1
Deployment metadata spec status
DeploymentSpec replicas selector template strategy minReadySeconds revisionHistoryLimit paused - progressDeadlineSeconds
DeploymentStrategy type rollingUpdate
RollingUpdateDeployment maxUnavailable maxSurge
DeploymentCondition type status - reason message lastUpdateTime lastTransitionTime
ReplicaSet metadata spec status
ReplicaSetSpec replicas selector template minReadySeconds
ReplicaSetCondition type status lastTransitionTime reason message
DaemonSet metadata spec status
DaemonSetSpec selector template updateStrategy minReadySeconds - revisionHistoryLimit
DaemonSetUpdateStrategy type rollingUpdate
RollingUpdateDaemonSet maxUnavailable maxSurge
DaemonSetCondition type status lastTransitionTime reason message
StatefulSet metadata spec status
StatefulSetSpec replicas selector template volumeClaimTemplates serviceName podManagementPolicy updateStrategy revisionHistoryLimit minReadySeconds persistentVolumeClaimRetentionPolicy ordinals
StatefulSetOrdinals start
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted whenScaled
StatefulSetUpdateStrategy type rollingUpdate
RollingUpdateStatefulSetStrategy partition maxUnavailable
StatefulSetCondition type status lastTransitionTime reason message
ControllerRevision metadata data revision
@ io.k8s.api.batch.v1
Job metadata spec status
JobSpec parallelism completions activeDeadlineSeconds selector manualSelector template backoffLimit ttlSecondsAfterFinished completionMode suspend podFailurePolicy backoffLimitPerIndex maxFailedIndexes podReplacementPolicy managedBy successPolicy
PodFailurePolicy rules
PodFailurePolicyRule action onExitCodes onPodConditions
PodFailurePolicyOnExitCodesRequirement containerName operator values
PodFailurePolicyOnPodConditionsPattern type status
SuccessPolicy rules
SuccessPolicyRule succeededIndexes succeededCount
JobCondition type status lastProbeTime lastTransitionTime reason message
UncountedTerminatedPods succeeded failed
CronJob metadata spec status
CronJobSpec schedule startingDeadlineSeconds concurrencyPolicy suspend jobTemplate successfulJobsHistoryLimit failedJobsHistoryLimit timeZone
JobTemplateSpec metadata spec
@ io.k8s.api.policy.v1
PodDisruptionBudget metadata spec status
PodDisruptionBudgetSpec minAvailable selector maxUnavailable unhealthyPodEvictionPolicy
Eviction metadata deleteOptions
@ io.k8s.api.storage.v1
StorageClass metadata provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode allowedTopologies
CSINode metadata spec
CSINodeSpec drivers
CSINodeDriver name nodeID topologyKeys allocatable
VolumeNodeResources count
CSIDriver metadata spec
CSIDriverSpec attachRequired podInfoOnMount volumeLifecycleModes storageCapacity fsGroupPolicy tokenRequests requiresRepublish seLinuxMount nodeAllocatableUpdatePeriodSeconds serviceAccountTokenInSecrets
TokenRequest audience expirationSeconds
VolumeAttachment metadata spec status
VolumeAttachmentSpec attacher source nodeName
VolumeAttachmentSource persistentVolumeName inlineVolumeSpec
VolumeError time message errorCode
@ io.k8s.api.coordination.v1
Lease metadata spec
LeaseSpec holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder
@ io.k8s.api.events.v1
Event metadata eventTime series reportingController reportingInstance action reason regarding related note type deprecatedSource deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedCount
EventSeries count lastObservedTime
@ io.k8s.api.scheduling.v1
PriorityClass metadata value globalDefault description preemptionPolicy
@ io.k8s.api.networking.v1
NetworkPolicy metadata spec
NetworkPolicySpec podSelector ingress egress policyTypes
NetworkPolicyEgressRule ports to
NetworkPolicyIngressRule ports from
NetworkPolicyPort protocol port endPort
NetworkPolicyPeer podSelector namespaceSelector ipBlock
IPBlock cidr except
Ingress metadata spec status
IngressSpec defaultBackend tls rules ingressClassName
IngressBackend - - resource service
IngressServiceBackend name port
ServiceBackendPort name number
IngressRuleValue http
IngressRule host ^IngressRuleValue
HTTPIngressRuleValue paths
HTTPIngressPath path backend pathType
IngressTLS hosts secretName
IngressLoadBalancerIngress ip hostname - ports
IngressClass metadata spec
IngressClassSpec controller parameters
IngressClassParametersReference apiGroup kind name scope namespace
@ io.k8s.api.rbac.v1
Role metadata rules
ClusterRole metadata rules aggregationRule
AggregationRule clusterRoleSelectors
PolicyRule verbs apiGroups resources resourceNames nonResourceURLs
RoleBinding metadata subjects roleRef
ClusterRoleBinding metadata subjects roleRef
RoleRef apiGroup kind name
Subject kind apiGroup name namespace
@ io.k8s.api.admissionregistration.v1
ValidatingAdmissionPolicy metadata spec status
ValidatingAdmissionPolicySpec paramKind matchConstraints validations failurePolicy auditAnnotations matchConditions variables
TypeChecking expressionWarnings
ExpressionWarning - fieldRef warning
AuditAnnotation key valueExpression
MatchCondition name expression
MatchResources namespaceSelector objectSelector resourceRules excludeResourceRules - - matchPolicy
Rule apiGroups apiVersions resources scope
RuleWithOperations operations ^Rule
NamedRuleWithOperations resourceNames ^RuleWithOperations
ParamKind apiVersion kind
Validation expression message reason messageExpression
Variable name expression
ValidatingAdmissionPolicyBinding metadata spec
ValidatingAdmissionPolicyBindingSpec policyName paramRef matchResources validationActions
ParamRef name namespace selector parameterNotFoundAction
@ io.k8s.api.authentication.v1
SelfSubjectReview metadata status
TokenRequest metadata spec status
TokenRequestSpec audiences - boundObjectRef expirationSeconds
BoundObjectReference kind apiVersion name uid
@ io.k8s.api.authorization.v1
SelfSubjectAccessReview metadata spec status
SelfSubjectAccessReviewSpec resourceAttributes nonResourceAttributes
ResourceAttributes namespace verb group version resource subresource name fieldSelector labelSelector
NonResourceAttributes path verb
SelfSubjectRulesReview metadata spec status
SelfSubjectRulesReviewSpec namespace
@ io.k8s.api.discovery.v1
EndpointSlice metadata endpoints ports addressType
Endpoint addresses conditions hostname targetRef deprecatedTopology nodeName zone hints
EndpointConditions ready serving terminating
EndpointHints forZones forNodes
ForNode name
ForZone name
EndpointPort name protocol port appProtocol
@ io.k8s.api.autoscaling.v2
HorizontalPodAutoscaler metadata spec status
HorizontalPodAutoscalerSpec scaleTargetRef minReplicas maxReplicas metrics behavior
HorizontalPodAutoscalerBehavior scaleUp scaleDown
HPAScalingRules selectPolicy policies stabilizationWindowSeconds tolerance
HPAScalingPolicy type value periodSeconds
CrossVersionObjectReference kind name apiVersion
MetricSpec type object pods resource external - containerResource
ContainerResourceMetricSource name target container
ExternalMetricSource metric target
ObjectMetricSource describedObject target metric
PodsMetricSource metric target
ResourceMetricSource name target
MetricIdentifier name selector
MetricTarget type value averageValue averageUtilization
HorizontalPodAutoscalerCondition type status lastTransitionTime reason message
@ io.k8s.api.autoscaling.v1
HorizontalPodAutoscaler metadata spec status
HorizontalPodAutoscalerSpec scaleTargetRef minReplicas maxReplicas targetCPUUtilizationPercentage
CrossVersionObjectReference kind name apiVersion
@ io.k8s.api.certificates.v1
CertificateSigningRequest metadata spec status
CertificateSigningRequestSpec request username uid groups usages extra signerName expirationSeconds
CertificateSigningRequestStatus conditions certificate
CertificateSigningRequestCondition type reason message lastUpdateTime lastTransitionTime status
@ io.k8s.api.resource.v1
DeviceClass metadata spec
DeviceClassSpec selectors config - extendedResourceName
DeviceConfiguration opaque
DeviceClassConfiguration ^DeviceConfiguration
OpaqueDeviceConfiguration driver parameters
DeviceSelector cel
CELDeviceSelector expression
ResourceClaim metadata spec status
ResourceClaimSpec devices
DeviceClaim requests constraints config
DeviceClaimConfiguration requests ^DeviceConfiguration
DeviceConstraint requests matchAttribute distinctAttribute
DeviceRequest name exactly firstAvailable
ExactDeviceRequest deviceClassName selectors allocationMode count adminAccess tolerations capacity
DeviceSubRequest name deviceClassName selectors allocationMode count tolerations capacity
CapacityRequirements requests
DeviceToleration key operator value effect tolerationSeconds
AllocationResult devices - nodeSelector - allocationTimestamp
DeviceAllocationResult results config
DeviceAllocationConfiguration source requests ^DeviceConfiguration
DeviceRequestAllocationResult request driver pool device adminAccess tolerations bindingConditions bindingFailureConditions shareID consumedCapacity
ResourceClaimConsumerReference apiGroup - resource name uid
NetworkDeviceData interfaceName ips hardwareAddress
ResourceClaimTemplate metadata spec
ResourceClaimTemplateSpec metadata spec
ResourceSlice metadata spec
ResourceSliceSpec driver pool nodeName nodeSelector allNodes devices perDeviceNodeSelection sharedCounters
ResourcePool name generation resourceSliceCount
Device name attributes capacity consumesCounters nodeName nodeSelector allNodes taints bindsToNode bindingConditions bindingFailureConditions allowMultipleAllocations
DeviceAttribute - int bool string version
DeviceCapacity value requestPolicy
CapacityRequestPolicy default - validValues validRange
CapacityRequestPolicyRange min max step
DeviceCounterConsumption counterSet counters
Counter value
CounterSet name counters
DeviceTaint key value effect timeAdded
`;

const read = (text: string): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, readonly string[]>();
  let packageName = '';
  for (const line of text.trim().split('\n')) {
    const [type = '', ...fields] = line.split(' ');
    if (type === '@') packageName = fields.join('');
    else names.set(`${packageName}.${type}`, fields);
  }
  return names;
};

/** Type with its package → names of its fields, that of number 1 first. */
export const FIELD_NAMES = read(FIELD_NUMBERS);
