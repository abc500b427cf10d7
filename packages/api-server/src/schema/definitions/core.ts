/** The rest of core/v1, in the notation of `parse-definitions.ts`. */
export const CORE = `
@ io.k8s.api.core.v1
Node { apiVersion string; kind string; metadata ObjectMeta; spec NodeSpec; status NodeStatus }
NodeSpec { configSource any; externalID string; podCIDR string; podCIDRs []string*; providerID string; taints []Taint; unschedulable bool }
Taint { effect! string; key! string; timeAdded time; value string }
NodeStatus { addresses []NodeAddress=type; allocatable {}quantity; capacity {}quantity; conditions []NodeCondition=type; config any; daemonEndpoints NodeDaemonEndpoints;
  declaredFeatures []string; features NodeFeatures; images []ContainerImage; nodeInfo NodeSystemInfo; phase string; runtimeHandlers []NodeRuntimeHandler;
  volumesAttached []AttachedVolume; volumesInUse []string }
NodeAddress { address! string; type! string }
NodeCondition { lastHeartbeatTime time; lastTransitionTime time; message string; reason string; status! string; type! string }
NodeDaemonEndpoints { kubeletEndpoint DaemonEndpoint }
DaemonEndpoint { Port! int32 }
NodeFeatures { supplementalGroupsPolicy bool }
ContainerImage { names []string; sizeBytes int64 }
NodeSystemInfo { architecture! string; bootID! string; containerRuntimeVersion! string; kernelVersion! string; kubeProxyVersion! string; kubeletVersion! string;
  machineID! string; operatingSystem! string; osImage! string; swap NodeSwapStatus; systemUUID! string }
NodeSwapStatus { capacity int64 }
NodeRuntimeHandler { features NodeRuntimeHandlerFeatures; name string }
NodeRuntimeHandlerFeatures { recursiveReadOnlyMounts bool; userNamespaces bool }
AttachedVolume { devicePath! string; name! string }
Namespace { apiVersion string; kind string; metadata ObjectMeta; spec NamespaceSpec; status NamespaceStatus }
NamespaceSpec { finalizers []string }
NamespaceStatus { conditions []NamespaceCondition=type; phase string }
NamespaceCondition { lastTransitionTime time; message string; reason string; status! string; type! string }
Service { apiVersion string; kind string; metadata ObjectMeta; spec ServiceSpec; status ServiceStatus }
ServiceSpec { allocateLoadBalancerNodePorts bool; clusterIP string; clusterIPs []string; externalIPs []string; externalName string; externalTrafficPolicy string;
  healthCheckNodePort int32; internalTrafficPolicy string; ipFamilies []string; ipFamilyPolicy string; loadBalancerClass string; loadBalancerIP string;
  loadBalancerSourceRanges []string; ports []ServicePort=port,protocol; publishNotReadyAddresses bool; selector {}string~; sessionAffinity string;
  sessionAffinityConfig SessionAffinityConfig; trafficDistribution string; type string }
ServicePort { appProtocol string; name string; nodePort int32; port! int32; protocol string; targetPort intstr }
SessionAffinityConfig { clientIP ClientIPConfig }
ClientIPConfig { timeoutSeconds int32 }
ServiceStatus { conditions []Condition=type; loadBalancer LoadBalancerStatus }
LoadBalancerStatus { ingress []LoadBalancerIngress }
LoadBalancerIngress { hostname string; ip string; ipMode string; ports []PortStatus }
PortStatus { error string; port! int32; protocol! string }
ServiceAccount { apiVersion string; automountServiceAccountToken bool; imagePullSecrets []LocalObjectReference; kind string; metadata ObjectMeta; secrets []ObjectReference=name }
ConfigMap { apiVersion string; binaryData {}bytes; data {}string; immutable bool; kind string; metadata ObjectMeta }
Secret { apiVersion string; data {}bytes; immutable bool; kind string; metadata ObjectMeta; stringData {}string; type string }
Endpoints { apiVersion string; kind string; metadata ObjectMeta; subsets []EndpointSubset }
EndpointSubset { addresses []EndpointAddress; notReadyAddresses []EndpointAddress; ports []EndpointPort }
EndpointAddress~ { hostname string; ip! string; nodeName string; targetRef ObjectReference }
EndpointPort~ { appProtocol string; name string; port! int32; protocol string }
Event { action string; apiVersion string; count int32; eventTime microtime; firstTimestamp time; involvedObject! ObjectReference; kind string; lastTimestamp time;
  message string; metadata! ObjectMeta; reason string; related ObjectReference; reportingComponent string; reportingInstance string; series EventSeries; source EventSource; type string }
EventSeries { count int32; lastObservedTime microtime }
EventSource { component string; host string }
LimitRange { apiVersion string; kind string; metadata ObjectMeta; spec LimitRangeSpec }
LimitRangeSpec { limits! []LimitRangeItem }
LimitRangeItem { default {}quantity; defaultRequest {}quantity; max {}quantity; maxLimitRequestRatio {}quantity; min {}quantity; type! string }
ResourceQuota { apiVersion string; kind string; metadata ObjectMeta; spec ResourceQuotaSpec; status ResourceQuotaStatus }
ResourceQuotaSpec { hard {}quantity; scopeSelector ScopeSelector; scopes []string }
ScopeSelector~ { matchExpressions []ScopedResourceSelectorRequirement }
ScopedResourceSelectorRequirement { operator! string; scopeName! string; values []string }
ResourceQuotaStatus { hard {}quantity; used {}quantity }
ReplicationController { apiVersion string; kind string; metadata ObjectMeta; spec ReplicationControllerSpec; status ReplicationControllerStatus }
ReplicationControllerSpec { minReadySeconds int32; replicas int32; selector {}string~; template PodTemplateSpec }
ReplicationControllerStatus { availableReplicas int32; conditions []ReplicationControllerCondition=type; fullyLabeledReplicas int32; observedGeneration int64;
  readyReplicas int32; replicas! int32 }
ReplicationControllerCondition { lastTransitionTime time; message string; reason string; status! string; type! string }
`;
