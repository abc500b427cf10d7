/** Shapes that every group shares, in the notation of `parse-definitions.ts`. */
export const META = `
@ io.k8s.apimachinery.pkg.apis.meta.v1
ObjectMeta { annotations {}string; creationTimestamp time; deletionGracePeriodSeconds int64; deletionTimestamp time; finalizers []string*;
  generateName string; generation int64; labels {}string; managedFields []ManagedFieldsEntry; name string; namespace string;
  ownerReferences []OwnerReference=uid; resourceVersion string; selfLink string; uid string }
ManagedFieldsEntry { apiVersion string; fieldsType string; fieldsV1 any; manager string; operation string; subresource string; time time }
OwnerReference~ { apiVersion! string; blockOwnerDeletion bool; controller bool; kind! string; name! string; uid! string }
ListMeta { continue string; remainingItemCount int64; resourceVersion string; selfLink string; shardInfo any }
LabelSelector~ { matchExpressions []LabelSelectorRequirement; matchLabels {}string }
LabelSelectorRequirement { key! string; operator! string; values []string }
Condition { lastTransitionTime! time; message! string; observedGeneration int64; reason! string; status! string; type! string }
DeleteOptions { apiVersion string; dryRun []string; gracePeriodSeconds int64; ignoreStoreReadErrorWithClusterBreakingPotential bool; kind string; orphanDependents bool;
  preconditions Preconditions; propagationPolicy string }
Preconditions { resourceVersion string; uid string }
Status { apiVersion string; code int32; details StatusDetails; kind string; message string; metadata ListMeta; reason string; status string }
StatusDetails { causes []StatusCause; group string; kind string; name string; retryAfterSeconds int32; uid string }
StatusCause { field string; message string; reason string }
@ io.k8s.api.autoscaling.v1
Scale { apiVersion string; kind string; metadata ObjectMeta; spec ScaleSpec; status ScaleStatus }
ScaleSpec { replicas int32 }
ScaleStatus { replicas! int32; selector string }
`;
