/**
 * Storage, leases, events, priorities, network policies, access control and CRDs, in the notation of
 * `parse-definitions.ts`.
 */
export const PLATFORM = `
@ io.k8s.api.storage.v1
StorageClass { allowVolumeExpansion bool; allowedTopologies []TopologySelectorTerm; apiVersion string; kind string; metadata ObjectMeta; mountOptions []string;
  parameters {}string; provisioner! string; reclaimPolicy string; volumeBindingMode string }
TopologySelectorTerm~ { matchLabelExpressions []TopologySelectorLabelRequirement }
TopologySelectorLabelRequirement { key! string; values! []string }
CSINode { apiVersion string; kind string; metadata ObjectMeta; spec! CSINodeSpec }
CSINodeSpec { drivers! []CSINodeDriver=name }
CSINodeDriver { allocatable VolumeNodeResources; name! string; nodeID! string; topologyKeys []string }
VolumeNodeResources { count int32 }
CSIDriver { apiVersion string; kind string; metadata ObjectMeta; spec! CSIDriverSpec }
CSIDriverSpec { attachRequired bool; fsGroupPolicy string; nodeAllocatableUpdatePeriodSeconds int64; podInfoOnMount bool; preventPodSchedulingIfMissing bool; requiresRepublish bool; seLinuxMount bool;
  serviceAccountTokenInSecrets bool; storageCapacity bool; tokenRequests []CsiTokenRequest; volumeLifecycleModes []string* }
CsiTokenRequest { audience! string; expirationSeconds int64 }
VolumeAttachment { apiVersion string; kind string; metadata ObjectMeta; spec! VolumeAttachmentSpec; status VolumeAttachmentStatus }
VolumeAttachmentSpec { attacher! string; nodeName! string; source! VolumeAttachmentSource }
VolumeAttachmentSource { inlineVolumeSpec PersistentVolumeSpec; persistentVolumeName string }
VolumeAttachmentStatus { attachError VolumeError; attached! bool; attachmentMetadata {}string; detachError VolumeError }
VolumeError { errorCode int32; message string; time time }
@ io.k8s.api.coordination.v1
Lease { apiVersion string; kind string; metadata ObjectMeta; spec LeaseSpec }
LeaseSpec { acquireTime microtime; holderIdentity string; leaseDurationSeconds int32; leaseTransitions int32; preferredHolder string; renewTime microtime; strategy string }
@ io.k8s.api.events.v1
EventsEvent { action string; apiVersion string; deprecatedCount int32; deprecatedFirstTimestamp time; deprecatedLastTimestamp time; deprecatedSource EventSource;
  eventTime! microtime; kind string; metadata ObjectMeta; note string; reason string; regarding ObjectReference; related ObjectReference; reportingController string;
  reportingInstance string; series EventsEventSeries; type string }
EventsEventSeries { count! int32; lastObservedTime! microtime }
@ io.k8s.api.scheduling.v1
PriorityClass { apiVersion string; description string; globalDefault bool; kind string; metadata ObjectMeta; preemptionPolicy string; value! int32 }
@ io.k8s.api.networking.v1
NetworkPolicy { apiVersion string; kind string; metadata ObjectMeta; spec NetworkPolicySpec }
NetworkPolicySpec { egress []NetworkPolicyEgressRule; ingress []NetworkPolicyIngressRule; podSelector LabelSelector; policyTypes []string }
NetworkPolicyEgressRule { ports []NetworkPolicyPort; to []NetworkPolicyPeer }
NetworkPolicyIngressRule { from []NetworkPolicyPeer; ports []NetworkPolicyPort }
NetworkPolicyPort { endPort int32; port intstr; protocol string }
NetworkPolicyPeer { ipBlock IPBlock; namespaceSelector LabelSelector; podSelector LabelSelector }
IPBlock { cidr! string; except []string }
@ io.k8s.api.rbac.v1
Role { apiVersion string; kind string; metadata ObjectMeta; rules []PolicyRule }
ClusterRole { aggregationRule AggregationRule; apiVersion string; kind string; metadata ObjectMeta; rules []PolicyRule }
AggregationRule { clusterRoleSelectors []LabelSelector }
PolicyRule { apiGroups []string; nonResourceURLs []string; resourceNames []string; resources []string; verbs! []string }
RoleBinding { apiVersion string; kind string; metadata ObjectMeta; roleRef! RoleRef; subjects []Subject }
ClusterRoleBinding { apiVersion string; kind string; metadata ObjectMeta; roleRef! RoleRef; subjects []Subject }
RoleRef~ { apiGroup! string; kind! string; name! string }
Subject~ { apiGroup string; kind! string; name! string; namespace string }
@ io.k8s.api.admissionregistration.v1
ValidatingAdmissionPolicy { apiVersion string; kind string; metadata ObjectMeta; spec! ValidatingAdmissionPolicySpec; status ValidatingAdmissionPolicyStatus }
ValidatingAdmissionPolicySpec { auditAnnotations []AuditAnnotation; failurePolicy string; matchConditions []MatchCondition=name; matchConstraints MatchResources; paramKind ParamKind;
  validations []Validation; variables []Variable=name }
ValidatingAdmissionPolicyStatus { conditions []Condition=type; observedGeneration int64; typeChecking TypeChecking }
TypeChecking { expressionWarnings []ExpressionWarning }
ExpressionWarning { fieldRef! string; warning! string }
AuditAnnotation { key! string; valueExpression! string }
MatchCondition { expression! string; name! string }
MatchResources~ { excludeResourceRules []NamedRuleWithOperations; matchPolicy string; namespaceSelector LabelSelector; objectSelector LabelSelector; resourceRules []NamedRuleWithOperations }
NamedRuleWithOperations~ { apiGroups []string; apiVersions []string; operations []string; resourceNames []string; resources []string; scope string }
ParamKind~ { apiVersion string; kind string }
Validation { expression! string; message string; messageExpression string; reason string }
Variable~ { expression! string; name! string }
ValidatingAdmissionPolicyBinding { apiVersion string; kind string; metadata ObjectMeta; spec! ValidatingAdmissionPolicyBindingSpec }
ValidatingAdmissionPolicyBindingSpec { matchResources MatchResources; paramRef ParamRef; policyName string; validationActions []string* }
ParamRef~ { name string; namespace string; parameterNotFoundAction string; selector LabelSelector }
@ io.k8s.api.authentication.v1
SelfSubjectReview { apiVersion string; kind string; metadata ObjectMeta; status any }
@ io.k8s.api.authorization.v1
SelfSubjectAccessReview { apiVersion string; kind string; metadata ObjectMeta; spec! SelfSubjectAccessReviewSpec; status SubjectAccessReviewStatus }
SelfSubjectAccessReviewSpec { nonResourceAttributes NonResourceAttributes; resourceAttributes ResourceAttributes }
ResourceAttributes { fieldSelector any; group string; labelSelector any; name string; namespace string; resource string; subresource string; verb string; version string }
NonResourceAttributes { path string; verb string }
SubjectAccessReviewStatus { allowed! bool; denied bool; evaluationError string; reason string }
@ io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1
CustomResourceDefinition { apiVersion string; kind string; metadata ObjectMeta; spec! CustomResourceDefinitionSpec; status CustomResourceDefinitionStatus }
CustomResourceDefinitionSpec { conversion CustomResourceConversion; group! string; names! CustomResourceDefinitionNames; preserveUnknownFields bool; scope! string;
  versions! []CustomResourceDefinitionVersion }
CustomResourceConversion { strategy! string; webhook any }
CustomResourceDefinitionNames { categories []string; kind! string; listKind string; plural! string; shortNames []string; singular string }
CustomResourceDefinitionVersion { additionalPrinterColumns []CustomResourceColumnDefinition; deprecated bool; deprecationWarning string; name! string;
  schema CustomResourceValidation; selectableFields []SelectableField; served! bool; storage! bool; subresources CustomResourceSubresources }
CustomResourceColumnDefinition { description string; format string; jsonPath! string; name! string; priority int32; type! string }
CustomResourceValidation { openAPIV3Schema any }
SelectableField { jsonPath! string }
CustomResourceSubresources { scale CustomResourceSubresourceScale; status any }
CustomResourceSubresourceScale { labelSelectorPath string; specReplicasPath! string; statusReplicasPath! string }
CustomResourceDefinitionStatus { acceptedNames CustomResourceDefinitionNames; conditions []CustomResourceDefinitionCondition=type; observedGeneration int64; storedVersions []string }
CustomResourceDefinitionCondition { lastTransitionTime time; message string; observedGeneration int64; reason string; status! string; type! string }
`;
