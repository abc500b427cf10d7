/** Ingresses, endpoint slices, autoscalers, certificate requests and tokens, in the notation of `parse-definitions.ts`. */
export const SERVING = `
@ io.k8s.api.networking.v1
Ingress { apiVersion string; kind string; metadata ObjectMeta; spec IngressSpec; status IngressStatus }
IngressSpec { defaultBackend IngressBackend; ingressClassName string; rules []IngressRule; tls []IngressTLS }
IngressBackend { resource TypedLocalObjectReference; service IngressServiceBackend }
IngressServiceBackend { name! string; port ServiceBackendPort }
ServiceBackendPort~ { name string; number int32 }
IngressRule { host string; http HTTPIngressRuleValue }
HTTPIngressRuleValue { paths! []HTTPIngressPath }
HTTPIngressPath { backend! IngressBackend; path string; pathType! string }
IngressTLS { hosts []string; secretName string }
IngressStatus { loadBalancer IngressLoadBalancerStatus }
IngressLoadBalancerStatus { ingress []IngressLoadBalancerIngress }
IngressLoadBalancerIngress { hostname string; ip string; ports []IngressPortStatus }
IngressPortStatus { error string; port! int32; protocol! string }
IngressClass { apiVersion string; kind string; metadata ObjectMeta; spec IngressClassSpec }
IngressClassSpec { controller string; parameters IngressClassParametersReference }
IngressClassParametersReference { apiGroup string; kind! string; name! string; namespace string; scope string }
@ io.k8s.api.discovery.v1
EndpointSlice { addressType! string; apiVersion string; endpoints! []Endpoint; kind string; metadata ObjectMeta; ports []DiscoveryEndpointPort }
Endpoint { addresses! []string*; conditions EndpointConditions; deprecatedTopology {}string; hints EndpointHints; hostname string; nodeName string; targetRef ObjectReference; zone string }
EndpointConditions { ready bool; serving bool; terminating bool }
EndpointHints { forNodes []ForNode; forZones []ForZone }
ForNode { name! string }
ForZone { name! string }
DiscoveryEndpointPort~ { appProtocol string; name string; port int32; protocol string }
@ io.k8s.api.autoscaling.v2
HorizontalPodAutoscaler { apiVersion string; kind string; metadata ObjectMeta; spec HorizontalPodAutoscalerSpec; status HorizontalPodAutoscalerStatus }
HorizontalPodAutoscalerSpec { behavior HorizontalPodAutoscalerBehavior; maxReplicas! int32; metrics []MetricSpec; minReplicas int32; scaleTargetRef! CrossVersionObjectReference }
HorizontalPodAutoscalerBehavior { scaleDown HPAScalingRules; scaleUp HPAScalingRules }
HPAScalingRules { policies []HPAScalingPolicy; selectPolicy string; stabilizationWindowSeconds int32; tolerance quantity }
HPAScalingPolicy { periodSeconds! int32; type! string; value! int32 }
CrossVersionObjectReference~ { apiVersion string; kind! string; name! string }
MetricSpec { containerResource ContainerResourceMetricSource; external ExternalMetricSource; object ObjectMetricSource; pods PodsMetricSource; resource ResourceMetricSource; type! string }
ContainerResourceMetricSource { container! string; name! string; target! MetricTarget }
ExternalMetricSource { metric! MetricIdentifier; target! MetricTarget }
ObjectMetricSource { describedObject! CrossVersionObjectReference; metric! MetricIdentifier; target! MetricTarget }
PodsMetricSource { metric! MetricIdentifier; target! MetricTarget }
ResourceMetricSource { name! string; target! MetricTarget }
MetricIdentifier { name! string; selector LabelSelector }
MetricTarget { averageUtilization int32; averageValue quantity; type! string; value quantity }
HorizontalPodAutoscalerStatus { conditions []HorizontalPodAutoscalerCondition=type; currentMetrics []MetricStatus; currentReplicas int32; desiredReplicas! int32;
  lastScaleTime time; observedGeneration int64 }
HorizontalPodAutoscalerCondition { lastTransitionTime time; message string; reason string; status! string; type! string }
MetricStatus { containerResource any; external any; object any; pods any; resource ResourceMetricStatus; type! string }
ResourceMetricStatus { current! MetricValueStatus; name! string }
MetricValueStatus { averageUtilization int32; averageValue quantity; value quantity }
@ io.k8s.api.autoscaling.v1
FirstHorizontalPodAutoscaler { apiVersion string; kind string; metadata ObjectMeta; spec FirstHorizontalPodAutoscalerSpec; status FirstHorizontalPodAutoscalerStatus }
FirstHorizontalPodAutoscalerSpec { maxReplicas! int32; minReplicas int32; scaleTargetRef! FirstCrossVersionObjectReference; targetCPUUtilizationPercentage int32 }
FirstCrossVersionObjectReference~ { apiVersion string; kind! string; name! string }
FirstHorizontalPodAutoscalerStatus { currentCPUUtilizationPercentage int32; currentReplicas! int32; desiredReplicas! int32; lastScaleTime time; observedGeneration int64 }
@ io.k8s.api.certificates.v1
CertificateSigningRequest { apiVersion string; kind string; metadata ObjectMeta; spec! CertificateSigningRequestSpec; status CertificateSigningRequestStatus }
CertificateSigningRequestSpec { expirationSeconds int32; extra any; groups []string; request! bytes; signerName! string; uid string; usages []string; username string }
CertificateSigningRequestStatus { certificate bytes; conditions []CertificateSigningRequestCondition=type }
CertificateSigningRequestCondition { lastTransitionTime time; lastUpdateTime time; message string; reason string; status! string; type! string }
@ io.k8s.api.authentication.v1
TokenRequest { apiVersion string; kind string; metadata ObjectMeta; spec! TokenRequestSpec; status any }
TokenRequestSpec { audiences! []string; boundObjectRef BoundObjectReference; expirationSeconds int64 }
BoundObjectReference { apiVersion string; kind string; name string; uid string }
@ io.k8s.api.authorization.v1
SelfSubjectRulesReview { apiVersion string; kind string; metadata ObjectMeta; spec! SelfSubjectRulesReviewSpec; status any }
SelfSubjectRulesReviewSpec { namespace string }
`;
