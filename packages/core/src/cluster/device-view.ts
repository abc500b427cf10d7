import type { DeviceClass, ObjectMeta, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from '../kube/index.ts';

/** The devices of a cluster as decisions see them, and who asks for them. */
export interface DeviceView {
  /** Name → class. */
  readonly classes: ReadonlyMap<string, DeviceClass>;
  /** `namespace/name` → claim. */
  readonly claims: ReadonlyMap<string, ResourceClaim>;
  /** `namespace/name` → template. */
  readonly templates: ReadonlyMap<string, ResourceClaimTemplate>;
  readonly slices: readonly ResourceSlice[];
}

/** The objects that device allocation reads. */
export interface DeviceObjects {
  readonly deviceClasses: readonly DeviceClass[];
  readonly resourceClaims: readonly ResourceClaim[];
  readonly resourceClaimTemplates: readonly ResourceClaimTemplate[];
  readonly resourceSlices: readonly ResourceSlice[];
}

type Named = { readonly metadata: ObjectMeta };

const byQualifiedName = <T extends Named>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [`${each.metadata.namespace ?? 'default'}/${each.metadata.name}`, each]));

/** Objects of device allocation by their names. Of two with one name the last counts. */
export const deviceViewOf = (objects: DeviceObjects): DeviceView => ({
  classes: new Map(objects.deviceClasses.map((each) => [each.metadata.name, each])),
  claims: byQualifiedName(objects.resourceClaims),
  templates: byQualifiedName(objects.resourceClaimTemplates),
  slices: objects.resourceSlices,
});
