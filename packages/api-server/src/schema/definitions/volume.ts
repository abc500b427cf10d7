/** Volumes of pods, claims and persistent volumes, in the notation of `parse-definitions.ts`. */
export const VOLUME = `
@ io.k8s.api.core.v1
Volume { awsElasticBlockStore AWSElasticBlockStoreVolumeSource; azureDisk AzureDiskVolumeSource; azureFile AzureFileVolumeSource; cephfs any; cinder any;
  configMap ConfigMapVolumeSource; csi CSIVolumeSource; downwardAPI DownwardAPIVolumeSource; emptyDir EmptyDirVolumeSource; ephemeral EphemeralVolumeSource;
  fc any; flexVolume any; flocker any; gcePersistentDisk GCEPersistentDiskVolumeSource; gitRepo any; glusterfs any; hostPath HostPathVolumeSource;
  image ImageVolumeSource; iscsi any; name! string; nfs NFSVolumeSource; persistentVolumeClaim PersistentVolumeClaimVolumeSource; photonPersistentDisk any;
  portworxVolume any; projected ProjectedVolumeSource; quobyte any; rbd any; scaleIO any; secret SecretVolumeSource; storageos any; vsphereVolume any }
AWSElasticBlockStoreVolumeSource { fsType string; partition int32; readOnly bool; volumeID! string }
AzureDiskVolumeSource { cachingMode string; diskName! string; diskURI! string; fsType string; kind string; readOnly bool }
AzureFileVolumeSource { readOnly bool; secretName! string; shareName! string }
GCEPersistentDiskVolumeSource { fsType string; partition int32; pdName! string; readOnly bool }
ConfigMapVolumeSource { defaultMode int32; items []KeyToPath; name string; optional bool }
SecretVolumeSource { defaultMode int32; items []KeyToPath; optional bool; secretName string }
KeyToPath { key! string; mode int32; path! string }
CSIVolumeSource { driver! string; fsType string; nodePublishSecretRef LocalObjectReference; readOnly bool; volumeAttributes {}string }
DownwardAPIVolumeSource { defaultMode int32; items []DownwardAPIVolumeFile }
DownwardAPIVolumeFile { fieldRef ObjectFieldSelector; mode int32; path! string; resourceFieldRef ResourceFieldSelector }
EmptyDirVolumeSource { medium string; sizeLimit quantity }
EphemeralVolumeSource { volumeClaimTemplate PersistentVolumeClaimTemplate }
PersistentVolumeClaimTemplate { metadata ObjectMeta; spec! PersistentVolumeClaimSpec }
HostPathVolumeSource { path! string; type string }
ImageVolumeSource { pullPolicy string; reference string }
NFSVolumeSource { path! string; readOnly bool; server! string }
PersistentVolumeClaimVolumeSource { claimName! string; readOnly bool }
ProjectedVolumeSource { defaultMode int32; sources []VolumeProjection }
VolumeProjection { clusterTrustBundle any; configMap ConfigMapProjection; downwardAPI DownwardAPIProjection; podCertificate any; secret SecretProjection; serviceAccountToken ServiceAccountTokenProjection }
ConfigMapProjection { items []KeyToPath; name string; optional bool }
SecretProjection { items []KeyToPath; name string; optional bool }
DownwardAPIProjection { items []DownwardAPIVolumeFile }
ServiceAccountTokenProjection { audience string; expirationSeconds int64; path! string }
PersistentVolumeClaim { apiVersion string; kind string; metadata ObjectMeta; spec PersistentVolumeClaimSpec; status PersistentVolumeClaimStatus }
PersistentVolumeClaimSpec { accessModes []string; dataSource TypedLocalObjectReference; dataSourceRef TypedObjectReference; resources VolumeResourceRequirements;
  selector LabelSelector; storageClassName string; volumeAttributesClassName string; volumeMode string; volumeName string }
VolumeResourceRequirements { limits {}quantity; requests {}quantity }
PersistentVolumeClaimStatus { accessModes []string; allocatedResourceStatuses {}string~; allocatedResources {}quantity; capacity {}quantity;
  conditions []PersistentVolumeClaimCondition=type; currentVolumeAttributesClassName string; modifyVolumeStatus ModifyVolumeStatus; phase string }
ModifyVolumeStatus { status! string; targetVolumeAttributesClassName string }
PersistentVolumeClaimCondition { lastProbeTime time; lastTransitionTime time; message string; reason string; status! string; type! string }
PersistentVolume { apiVersion string; kind string; metadata ObjectMeta; spec PersistentVolumeSpec; status PersistentVolumeStatus }
PersistentVolumeSpec { accessModes []string; awsElasticBlockStore AWSElasticBlockStoreVolumeSource; azureDisk AzureDiskVolumeSource; azureFile any; capacity {}quantity;
  cephfs any; cinder any; claimRef ObjectReference; csi CSIPersistentVolumeSource; fc any; flexVolume any; flocker any; gcePersistentDisk GCEPersistentDiskVolumeSource;
  glusterfs any; hostPath HostPathVolumeSource; iscsi any; local LocalVolumeSource; mountOptions []string; nfs NFSVolumeSource; nodeAffinity VolumeNodeAffinity;
  persistentVolumeReclaimPolicy string; photonPersistentDisk any; portworxVolume any; quobyte any; rbd any; scaleIO any; storageClassName string; storageos any;
  volumeAttributesClassName string; volumeMode string; vsphereVolume any }
CSIPersistentVolumeSource { controllerExpandSecretRef SecretReference; controllerPublishSecretRef SecretReference; driver! string; fsType string;
  nodeExpandSecretRef SecretReference; nodePublishSecretRef SecretReference; nodeStageSecretRef SecretReference; readOnly bool; volumeAttributes {}string; volumeHandle! string }
SecretReference~ { name string; namespace string }
LocalVolumeSource { fsType string; path! string }
VolumeNodeAffinity { required NodeSelector }
PersistentVolumeStatus { lastPhaseTransitionTime time; message string; phase string; reason string }
`;
