import { nameOf } from '../arm-id.ts';
import { azureLocations } from '../data/locations.ts';
import type { Disks } from '../compute/disks/disks.ts';
import type { VirtualMachines } from '../compute/vms/virtual-machines.ts';
import type { NetworkInterfaces } from '../network/network-interfaces.ts';
import { pagedList } from '../serve/paged-list.ts';
import { ok, armRefusalReply } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import type { AccessRules } from './access-rules.ts';
import { isMissing, isUnregistered, noSuchNamespace } from './registration.ts';
import { typeIn } from './type-in.ts';

export interface SubscriptionService {
  readonly world: ArmWorld;
  readonly access: AccessRules;
  readonly vms: VirtualMachines;
  readonly nics: NetworkInterfaces;
  readonly disks: Disks;
  /** What the providers answer: their types are those of these routes. */
  readonly routes: readonly ArmRoute[];
  /** Resource provider → the api-versions that it is registered with. */
  readonly apiVersions: Readonly<Record<string, readonly string[]>>;
}

const typesOf = (routes: readonly ArmRoute[], namespace: string): readonly string[] => {
  const found = routes.map(({ method, path }) => typeIn(method, path));
  return [...new Set(found.flatMap((each) => (each?.namespace.toLowerCase() === namespace.toLowerCase() ? [each.type] : [])))].sort();
};

const getProvider = ({ world, routes, apiVersions }: SubscriptionService, { params }: ArmRequest): ArmReply => {
  const namespace = params['namespace'] ?? '';
  const types = typesOf(routes, namespace);
  if (types.length === 0 || isMissing(world.behaviours, namespace)) return armRefusalReply(noSuchNamespace(namespace));
  const location = azureLocations.find(({ name }) => name === world.account.location);
  const displayName = location?.displayName ?? world.account.location;
  const zones = (location?.availabilityZoneMappings ?? []).map(({ logicalZone }) => logicalZone);
  return ok({
    id: `/subscriptions/${world.account.subscriptionId}/providers/${namespace}`,
    namespace,
    registrationPolicy: 'RegistrationRequired',
    registrationState: isUnregistered(world.behaviours, namespace) ? 'NotRegistered' : 'Registered',
    resourceTypes: types.map((resourceType) => ({
      resourceType,
      locations: [displayName],
      apiVersions: apiVersions[namespace] ?? [],
      ...(resourceType === 'virtualMachines' && { zoneMappings: [{ location: displayName, zones }] }),
      capabilities: 'None',
    })),
  });
};

/** Features are known by the behaviour that misses them; all others are registered. */
const getFeature = ({ world }: SubscriptionService, { params, path }: ArmRequest): ArmReply => {
  const feature = `${params['namespace'] ?? ''}/${params['feature'] ?? ''}`;
  const isRegistered = !world.behaviours.missingFeatures.includes(feature);
  return ok({
    id: path,
    name: feature,
    type: 'Microsoft.Features/providers/features',
    properties: { state: isRegistered ? 'Registered' : 'NotRegistered' },
  });
};

const getPermissions = ({ access }: SubscriptionService, { path }: ArmRequest): ArmReply => {
  const scope = path.slice(0, path.lastIndexOf('/providers/'));
  return ok({ value: [{ actions: ['*'], notActions: access.deniedOn(scope), dataActions: [], notDataActions: [] }] });
};

const listResources = ({ world, vms, nics, disks }: SubscriptionService, request: ArmRequest): ArmReply => {
  const group = (request.params['resourceGroup'] ?? '').toLowerCase();
  const { location } = world.account;
  const rows = [
    ...vms.all().map(({ id, name, resourceGroup }) => ({ id, name, resourceGroup, type: 'Microsoft.Compute/virtualMachines' })),
    ...nics.all().map(({ id, name, resourceGroup }) => ({ id, name, resourceGroup, type: 'Microsoft.Network/networkInterfaces' })),
    ...disks.all().map(({ id, resourceGroup }) => ({ id, name: nameOf(id), resourceGroup, type: 'Microsoft.Compute/disks' })),
  ];
  const held = rows.filter(({ resourceGroup }) => resourceGroup.toLowerCase() === group);
  return pagedList(
    held.map(({ id, name, type }) => ({ id, name, type, location })),
    request,
    { world, pageSize: 1_000 },
  );
};

const SUBSCRIPTION = '/subscriptions/{subscriptionId}';
const GROUP = `${SUBSCRIPTION}/resourceGroups/{resourceGroup}`;
const PERMISSIONS = 'providers/Microsoft.Authorization/permissions';

/** What Resource Manager answers by itself: providers, features, permissions of the caller, what a group holds. */
export const subscriptionRoutes = (service: SubscriptionService): readonly ArmRoute[] => {
  const permissions = (path: string): ArmRoute => ({
    operation: 'Permissions_List',
    method: 'GET',
    path: `${path}/${PERMISSIONS}`,
    handle: (request) => getPermissions(service, request),
  });
  return [
    {
      operation: 'Providers_Get',
      method: 'GET',
      path: `${SUBSCRIPTION}/providers/{namespace}`,
      handle: (request) => getProvider(service, request),
    },
    {
      operation: 'Features_Get',
      method: 'GET',
      path: `${SUBSCRIPTION}/providers/Microsoft.Features/providers/{namespace}/features/{feature}`,
      handle: (request) => getFeature(service, request),
    },
    {
      operation: 'Resources_ListByResourceGroup',
      method: 'GET',
      path: `${GROUP}/resources`,
      handle: (request) => listResources(service, request),
    },
    permissions(SUBSCRIPTION),
    permissions(GROUP),
    permissions(`${GROUP}/providers/{namespace}/{type}/{name}`),
    permissions(`${GROUP}/providers/{namespace}/{type}/{parent}/{childType}/{name}`),
  ];
};
