/** Pods and what they are made of, in the notation of `parse-definitions.ts`. */
export const POD = `
@ io.k8s.api.core.v1
Pod { apiVersion string; kind string; metadata ObjectMeta; spec PodSpec; status PodStatus }
PodTemplate { apiVersion string; kind string; metadata ObjectMeta; template PodTemplateSpec }
PodTemplateSpec { metadata ObjectMeta; spec PodSpec }
PodSpec { activeDeadlineSeconds int64; affinity Affinity; automountServiceAccountToken bool; containers! []Container=name; dnsConfig PodDNSConfig;
  dnsPolicy string; enableServiceLinks bool; ephemeralContainers []EphemeralContainer=name; hostAliases []HostAlias=ip; hostIPC bool; hostNetwork bool;
  hostPID bool; hostUsers bool; hostname string; hostnameOverride string; imagePullSecrets []LocalObjectReference=name; initContainers []Container=name;
  nodeName string; nodeSelector {}string~; os PodOS; overhead {}quantity; preemptionPolicy string; priority int32; priorityClassName string;
  readinessGates []PodReadinessGate; resourceClaims []PodResourceClaim=name; resources ResourceRequirements; restartPolicy string; runtimeClassName string;
  schedulerName string; schedulingGates []PodSchedulingGate=name; securityContext PodSecurityContext; serviceAccount string; serviceAccountName string;
  setHostnameAsFQDN bool; shareProcessNamespace bool; subdomain string; terminationGracePeriodSeconds int64; tolerations []Toleration;
  topologySpreadConstraints []TopologySpreadConstraint=topologyKey,whenUnsatisfiable; volumes []Volume=name^; schedulingGroup any }
PodOS { name! string }
PodReadinessGate { conditionType! string }
PodSchedulingGate { name! string }
PodResourceClaim { name! string; resourceClaimName string; resourceClaimTemplateName string }
PodDNSConfig { nameservers []string; options []PodDNSConfigOption; searches []string }
PodDNSConfigOption { name string; value string }
HostAlias { hostnames []string; ip! string }
LocalObjectReference~ { name string }
Toleration { effect string; key string; operator string; tolerationSeconds int64; value string }
TopologySpreadConstraint { labelSelector LabelSelector; matchLabelKeys []string; maxSkew! int32; minDomains int32; nodeAffinityPolicy string;
  nodeTaintsPolicy string; topologyKey! string; whenUnsatisfiable! string }
PodSecurityContext { appArmorProfile AppArmorProfile; fsGroup int64; fsGroupChangePolicy string; runAsGroup int64; runAsNonRoot bool; runAsUser int64;
  seLinuxChangePolicy string; seLinuxOptions SELinuxOptions; seccompProfile SeccompProfile; supplementalGroups []int64; supplementalGroupsPolicy string;
  sysctls []Sysctl; windowsOptions WindowsSecurityContextOptions }
SecurityContext { allowPrivilegeEscalation bool; appArmorProfile AppArmorProfile; capabilities Capabilities; privileged bool; procMount string;
  readOnlyRootFilesystem bool; runAsGroup int64; runAsNonRoot bool; runAsUser int64; seLinuxOptions SELinuxOptions; seccompProfile SeccompProfile;
  windowsOptions WindowsSecurityContextOptions }
AppArmorProfile { localhostProfile string; type! string }
SeccompProfile { localhostProfile string; type! string }
SELinuxOptions { level string; role string; type string; user string }
WindowsSecurityContextOptions { gmsaCredentialSpec string; gmsaCredentialSpecName string; hostProcess bool; runAsUserName string }
Capabilities { add []string; drop []string }
Sysctl { name! string; value! string }
Affinity { nodeAffinity NodeAffinity; podAffinity PodAffinity; podAntiAffinity PodAntiAffinity }
NodeAffinity { preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm; requiredDuringSchedulingIgnoredDuringExecution NodeSelector }
PreferredSchedulingTerm { preference! NodeSelectorTerm; weight! int32 }
NodeSelector~ { nodeSelectorTerms! []NodeSelectorTerm }
NodeSelectorTerm~ { matchExpressions []NodeSelectorRequirement; matchFields []NodeSelectorRequirement }
NodeSelectorRequirement { key! string; operator! string; values []string }
PodAffinity { preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm; requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm }
PodAntiAffinity { preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm; requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm }
WeightedPodAffinityTerm { podAffinityTerm! PodAffinityTerm; weight! int32 }
PodAffinityTerm { labelSelector LabelSelector; matchLabelKeys []string; mismatchLabelKeys []string; namespaceSelector LabelSelector; namespaces []string; topologyKey! string }
Container { args []string; command []string; env []EnvVar=name; envFrom []EnvFromSource; image string; imagePullPolicy string; lifecycle Lifecycle;
  livenessProbe Probe; name! string; ports []ContainerPort=containerPort,protocol; readinessProbe Probe; resizePolicy []ContainerResizePolicy;
  resources ResourceRequirements; restartPolicy string; restartPolicyRules []ContainerRestartRule; securityContext SecurityContext; startupProbe Probe;
  stdin bool; stdinOnce bool; terminationMessagePath string; terminationMessagePolicy string; tty bool; volumeDevices []VolumeDevice=devicePath;
  volumeMounts []VolumeMount=mountPath; workingDir string }
EphemeralContainer { args []string; command []string; env []EnvVar=name; envFrom []EnvFromSource; image string; imagePullPolicy string; lifecycle Lifecycle;
  livenessProbe Probe; name! string; ports []ContainerPort=containerPort,protocol; readinessProbe Probe; resizePolicy []ContainerResizePolicy;
  resources ResourceRequirements; restartPolicy string; restartPolicyRules []ContainerRestartRule; securityContext SecurityContext; startupProbe Probe;
  stdin bool; stdinOnce bool; targetContainerName string; terminationMessagePath string; terminationMessagePolicy string; tty bool;
  volumeDevices []VolumeDevice=devicePath; volumeMounts []VolumeMount=mountPath; workingDir string }
ContainerResizePolicy { resourceName! string; restartPolicy! string }
ContainerRestartRule { action! string; exitCodes ContainerRestartRuleOnExitCodes }
ContainerRestartRuleOnExitCodes { operator! string; values []int32* }
ContainerPort { containerPort! int32; hostIP string; hostPort int32; name string; protocol string }
EnvVar { name! string; value string; valueFrom EnvVarSource }
EnvVarSource { configMapKeyRef ConfigMapKeySelector; fieldRef ObjectFieldSelector; fileKeyRef FileKeySelector; resourceFieldRef ResourceFieldSelector; secretKeyRef SecretKeySelector }
FileKeySelector~ { key! string; optional bool; path! string; volumeName! string }
ConfigMapKeySelector~ { key! string; name string; optional bool }
SecretKeySelector~ { key! string; name string; optional bool }
ObjectFieldSelector~ { apiVersion string; fieldPath! string }
ResourceFieldSelector~ { containerName string; divisor quantity; resource! string }
EnvFromSource { configMapRef ConfigMapEnvSource; prefix string; secretRef SecretEnvSource }
ConfigMapEnvSource { name string; optional bool }
SecretEnvSource { name string; optional bool }
Lifecycle { postStart LifecycleHandler; preStop LifecycleHandler; stopSignal string }
LifecycleHandler { exec ExecAction; httpGet HTTPGetAction; sleep SleepAction; tcpSocket TCPSocketAction }
ExecAction { command []string }
HTTPGetAction { host string; httpHeaders []HTTPHeader; path string; port! intstr; scheme string }
HTTPHeader { name! string; value! string }
SleepAction { seconds! int64 }
TCPSocketAction { host string; port! intstr }
GRPCAction { port! int32; service string }
Probe { exec ExecAction; failureThreshold int32; grpc GRPCAction; httpGet HTTPGetAction; initialDelaySeconds int32; periodSeconds int32; successThreshold int32;
  tcpSocket TCPSocketAction; terminationGracePeriodSeconds int64; timeoutSeconds int32 }
ResourceRequirements { claims []ResourceClaim=name; limits {}quantity; requests {}quantity }
ResourceClaim { name! string; request string }
VolumeDevice { devicePath! string; name! string }
VolumeMount { mountPath! string; mountPropagation string; name! string; readOnly bool; recursiveReadOnly string; subPath string; subPathExpr string }
PodStatus { allocatedResources {}quantity; conditions []PodCondition=type; containerStatuses []ContainerStatus; ephemeralContainerStatuses []ContainerStatus;
  extendedResourceClaimStatus PodExtendedResourceClaimStatus; hostIP string; hostIPs []HostIP; initContainerStatuses []ContainerStatus; message string;
  nodeAllocatableResourceClaimStatuses []any; nominatedNodeName string; observedGeneration int64; phase string; podIP string; podIPs []PodIP=ip; qosClass string; reason string; resize string;
  resourceClaimStatuses []PodResourceClaimStatus=name^; resources ResourceRequirements; startTime time }
PodExtendedResourceClaimStatus { requestMappings! []ContainerExtendedResourceRequest; resourceClaimName! string }
ContainerExtendedResourceRequest { containerName! string; requestName! string; resourceName! string }
PodCondition { lastProbeTime time; lastTransitionTime time; message string; observedGeneration int64; reason string; status! string; type! string }
PodIP { ip! string }
HostIP { ip! string }
PodResourceClaimStatus { name! string; resourceClaimName string }
ContainerStatus { allocatedResources {}quantity; allocatedResourcesStatus []ResourceStatus=name; containerID string; image! string; imageID! string;
  lastState ContainerState; name! string; ready! bool; resources ResourceRequirements; restartCount! int32; started bool; state ContainerState;
  stopSignal string; user ContainerUser; volumeMounts []VolumeMountStatus=mountPath }
ResourceStatus { name! string; resources []ResourceHealth=resourceID }
ResourceHealth { health string; message string; resourceID! string }
ContainerUser { linux LinuxContainerUser }
LinuxContainerUser { gid! int64; supplementalGroups []int64; uid! int64 }
VolumeMountStatus { mountPath! string; name! string; readOnly bool; recursiveReadOnly string; volumeStatus any }
ContainerState { running ContainerStateRunning; terminated ContainerStateTerminated; waiting ContainerStateWaiting }
ContainerStateRunning { startedAt time }
ContainerStateTerminated { containerID string; exitCode! int32; finishedAt time; message string; reason string; signal int32; startedAt time }
ContainerStateWaiting { message string; reason string }
Binding { apiVersion string; kind string; metadata ObjectMeta; target! ObjectReference }
ObjectReference~ { apiVersion string; fieldPath string; kind string; name string; namespace string; resourceVersion string; uid string }
TypedLocalObjectReference~ { apiGroup string; kind! string; name! string }
TypedObjectReference { apiGroup string; kind! string; name! string; namespace string }
`;
