/**
 * Dynamic Resource Allocation, in the notation of `parse-definitions.ts`. Its ResourceClaim is `ApiResourceClaim`: a
 * container names claims by another type of the name.
 */
export const DEVICES = `
@ io.k8s.api.resource.v1
DeviceClass { apiVersion string; kind string; metadata ObjectMeta; spec! DeviceClassSpec }
DeviceClassSpec { config []DeviceClassConfiguration; extendedResourceName string; selectors []DeviceSelector }
DeviceClassConfiguration { opaque OpaqueDeviceConfiguration }
OpaqueDeviceConfiguration { driver! string; parameters! any }
DeviceSelector { cel CELDeviceSelector }
CELDeviceSelector { expression! string }
ApiResourceClaim { apiVersion string; kind string; metadata ObjectMeta; spec! ResourceClaimSpec; status ResourceClaimStatus }
ResourceClaimSpec { devices DeviceClaim }
DeviceClaim { config []DeviceClaimConfiguration; constraints []DeviceConstraint; requests []DeviceRequest }
DeviceClaimConfiguration { opaque OpaqueDeviceConfiguration; requests []string }
DeviceConstraint { distinctAttribute string; matchAttribute string; requests []string }
DeviceRequest { exactly ExactDeviceRequest; firstAvailable []DeviceSubRequest; name! string }
ExactDeviceRequest { adminAccess bool; allocationMode string; capacity CapacityRequirements; count int64; deviceClassName! string; selectors []DeviceSelector;
  tolerations []DeviceToleration }
DeviceSubRequest { allocationMode string; capacity CapacityRequirements; count int64; deviceClassName! string; name! string; selectors []DeviceSelector;
  tolerations []DeviceToleration }
CapacityRequirements { requests {}quantity }
DeviceToleration { effect string; key string; operator string; tolerationSeconds int64; value string }
ResourceClaimStatus { allocation AllocationResult; devices []AllocatedDeviceStatus=driver,device,pool,shareID; reservedFor []ResourceClaimConsumerReference=uid^ }
AllocationResult { allocationTimestamp time; devices DeviceAllocationResult; nodeSelector NodeSelector }
DeviceAllocationResult { config []DeviceAllocationConfiguration; results []DeviceRequestAllocationResult }
DeviceAllocationConfiguration { opaque OpaqueDeviceConfiguration; requests []string; source! string }
DeviceRequestAllocationResult { adminAccess bool; bindingConditions []string; bindingFailureConditions []string; consumedCapacity {}quantity; device! string; driver! string;
  pool! string; request! string; shareID string; tolerations []DeviceToleration }
ResourceClaimConsumerReference { apiGroup string; name! string; resource! string; uid! string }
AllocatedDeviceStatus { conditions []Condition=type; data any; device! string; driver! string; networkData NetworkDeviceData; pool! string; shareID string }
NetworkDeviceData { hardwareAddress string; interfaceName string; ips []string }
ResourceClaimTemplate { apiVersion string; kind string; metadata ObjectMeta; spec! ResourceClaimTemplateSpec }
ResourceClaimTemplateSpec { metadata ObjectMeta; spec! ResourceClaimSpec }
ResourceSlice { apiVersion string; kind string; metadata ObjectMeta; spec! ResourceSliceSpec }
ResourceSliceSpec { allNodes bool; devices []Device; driver! string; nodeName string; nodeSelector NodeSelector; perDeviceNodeSelection bool; pool! ResourcePool;
  sharedCounters []CounterSet }
ResourcePool { generation! int64; name! string; resourceSliceCount! int64 }
Device { allNodes bool; allowMultipleAllocations bool; attributes {}DeviceAttribute; bindingConditions []string; bindingFailureConditions []string; bindsToNode bool;
  capacity {}DeviceCapacity; consumesCounters []DeviceCounterConsumption; name! string; nodeName string; nodeSelector NodeSelector; taints []DeviceTaint }
DeviceAttribute { bool bool; int int64; string string; version string }
DeviceCapacity { requestPolicy CapacityRequestPolicy; value! quantity }
CapacityRequestPolicy { default quantity; validRange CapacityRequestPolicyRange; validValues []quantity }
CapacityRequestPolicyRange { max quantity; min! quantity; step quantity }
DeviceCounterConsumption { counterSet! string; counters! {}Counter }
Counter { value! quantity }
CounterSet { counters! {}Counter; name! string }
DeviceTaint { effect! string; key! string; timeAdded time; value string }
`;
