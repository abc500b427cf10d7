import type { ProviderResourceType } from '@azure/arm-resources';
import { ArmError } from './arm-error.ts';
import type { ArmClients } from './arm-clients.ts';
import { guardedCalls } from './calls/guarded-calls.ts';
import { type JsonCalls, jsonCalls } from './calls/json-calls.ts';
import { listOf, objectOf, textsIn, textsOf } from './calls/shape.ts';

/** A type of resource as the subscription may use it. */
export interface OfferedType {
  /** `virtualMachines/extensions` */
  readonly type: string;
  readonly apiVersions: readonly string[];
  /** In small letters without spaces: `eastus`. None for what has no place. */
  readonly locations: readonly string[];
  /** Location → logical zones, ascending. */
  readonly zones: Readonly<Record<string, readonly string[]>>;
}

/** A resource provider as the subscription sees it. */
export interface OfferedProvider {
  /** `Microsoft.Compute` */
  readonly namespace: string;
  readonly isRegistered: boolean;
  readonly types: readonly OfferedType[];
}

/** Actions with `*` for anything: `Microsoft.Compute/*`. The caller may do what is in `actions` and not in `notActions`. */
export interface PermissionSet {
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
}

/** What a subscription offers and lets its caller do. Reads only; every failure is an `ArmError`. */
export interface SubscriptionApi {
  /** Undefined: this Azure has no such provider. */
  readProvider(namespace: string, signal: AbortSignal): Promise<OfferedProvider | undefined>;
  /** State of `Microsoft.Compute/EncryptionAtHost`: `Registered`, `NotRegistered`; undefined: there is no such feature. */
  featureState(feature: string, signal: AbortSignal): Promise<string | undefined>;
  /** What the caller may do on a resource group or a resource, by ARM id. One set for each of its roles. */
  permissionsOn(scope: string, signal: AbortSignal): Promise<readonly PermissionSet[]>;
  /** Ids of all that a resource group holds, by `type` in Azure's spelling; undefined: no such group. */
  listResources(resourceGroup: string, signal: AbortSignal): Promise<readonly { readonly id: string; readonly type: string }[] | undefined>;
}

const locationOf = (name: string): string => name.replaceAll(' ', '').toLowerCase();

/** The SDK leaves `null` where it stands for a list. */
const typeOf = ({ resourceType = '', apiVersions, locations, zoneMappings }: ProviderResourceType): OfferedType => ({
  type: resourceType,
  apiVersions: textsOf(apiVersions),
  locations: textsOf(locations).map(locationOf),
  zones: Object.fromEntries((zoneMappings ?? []).map(({ location = '', zones }) => [locationOf(location), textsOf(zones).toSorted()])),
});

const FEATURES_VERSION = '2021-07-01';
const PERMISSIONS_VERSION = '2022-04-01';

const permissionsIn = (item: unknown): PermissionSet => {
  const { actions, notActions } = objectOf(item);
  return { actions: textsOf(actions), notActions: textsOf(notActions) };
};

type Get = (path: string, signal: AbortSignal) => ReturnType<JsonCalls>;

export const subscriptionApi = (clients: ArmClients, subscriptionId: string, clock: { now(): number }): SubscriptionApi => {
  const { call, find } = guardedCalls(clock);
  const send = jsonCalls(clients);
  const get: Get = (path, signal) => send({ method: 'GET', url: `${clients.endpoint}${path}` }, signal);
  const { providers, resources } = clients.resources;
  return {
    readProvider: async (namespace, abortSignal) => {
      try {
        return await call(async () => {
          const { registrationState, resourceTypes } = await providers.get(namespace, { abortSignal });
          return { namespace, isRegistered: registrationState === 'Registered', types: (resourceTypes ?? []).map(typeOf) };
        });
      } catch (error) {
        if (error instanceof ArmError && error.armCode === 'InvalidResourceNamespace') return undefined;
        throw error;
      }
    },
    featureState: async (feature, signal) => {
      const [namespace = '', name = ''] = feature.split('/');
      const path = `/subscriptions/${subscriptionId}/providers/Microsoft.Features/providers/${namespace}/features/${name}`;
      const found = await find(() => get(`${path}?api-version=${FEATURES_VERSION}`, signal));
      return textsIn(objectOf(found)['properties'])['state'];
    },
    permissionsOn: async (scope, signal) => {
      const path = `${scope}/providers/Microsoft.Authorization/permissions?api-version=${PERMISSIONS_VERSION}`;
      return listOf(objectOf(await call(() => get(path, signal)))['value']).map(permissionsIn);
    },
    listResources: (group, abortSignal) => {
      return find(async () => {
        const found = await Array.fromAsync(resources.listByResourceGroup(group, { abortSignal }));
        return found.map(({ id = '', type = '' }) => ({ id, type }));
      });
    },
  };
};
