import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from '@karpenter/core/internal';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import type { PodObject } from './pod.ts';

/** A resource.k8s.io/v1 ResourceClaim. */
export type DeviceClaim = ApiObject & Pick<ResourceClaim, 'spec' | 'status'>;
export type DeviceClaimTemplate = ApiObject & Pick<ResourceClaimTemplate, 'spec'>;
export type DeviceSlice = ApiObject & Pick<ResourceSlice, 'spec'>;

const apiVersion = 'resource.k8s.io/v1';

export const deviceClasses: KindRef<ApiObject & Pick<DeviceClass, 'spec'>> = { kind: 'DeviceClass', apiVersion };
export const deviceClaims: KindRef<DeviceClaim> = { kind: 'ResourceClaim', apiVersion };
export const deviceClaimTemplates: KindRef<DeviceClaimTemplate> = { kind: 'ResourceClaimTemplate', apiVersion };
export const deviceSlices: KindRef<DeviceSlice> = { kind: 'ResourceSlice', apiVersion };

/** Keeps a claim that has devices until nobody uses them. */
export const ALLOCATED_FINALIZER = 'resource.kubernetes.io/delete-protection';

/** An entry of a pod's `resourceClaims`. `claimName` is absent until the claim was made of its template. */
export interface DeviceClaimUse {
  readonly name: string;
  readonly claimName?: string | undefined;
  readonly templateName?: string | undefined;
}

/** What claims a pod uses. Entries that need no claim are left out. */
export const deviceClaimsOf = ({ spec, status }: PodObject): readonly DeviceClaimUse[] =>
  (spec.resourceClaims ?? []).flatMap(({ name, resourceClaimName, resourceClaimTemplateName }): readonly DeviceClaimUse[] => {
    if (resourceClaimName !== undefined) return [{ name, claimName: resourceClaimName }];
    const made = status?.resourceClaimStatuses?.find((each) => each.name === name);
    if (made !== undefined && made.resourceClaimName === undefined) return [];
    return [{ name, claimName: made?.resourceClaimName, templateName: resourceClaimTemplateName }];
  });
