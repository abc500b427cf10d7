/** Members of a `PersistentVolumeSpec` of its own; every other one is a source, which Go embeds. */
export const VOLUME_SPEC_OWN_MEMBERS: readonly string[] = [
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
];
