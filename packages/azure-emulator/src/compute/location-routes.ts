import { idKey, nameOf } from '../arm-id.ts';
import { SHARED_GALLERIES } from '../data/aks-images.ts';
import { azureLocations } from '../data/locations.ts';
import { refusal } from '../faults/arm-error.ts';
import { resourceNotFound } from '../serve/not-found.ts';
import { pagedList } from '../serve/paged-list.ts';
import { ok, armRefusalReply } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import type { QuotaLedger } from './quota-ledger.ts';
import { spotScoreRoute } from './spot-score-route.ts';
import type { SkuCatalog } from './sizes/sku-catalog.ts';

interface LocationService {
  readonly world: ArmWorld;
  readonly catalog: SkuCatalog;
  readonly quota: QuotaLedger;
}

const LOCATION_FILTER = /^location eq '([^']+)'$/;

/** The SKUs API knows one filter, by location; without one it would answer for every region, here for its own. */
const listSkus = ({ world, catalog }: LocationService, request: ArmRequest): ArmReply => {
  const filter = request.query.get('$filter');
  const wanted = filter === null ? world.account.location : LOCATION_FILTER.exec(filter)?.[1];
  if (wanted === undefined)
    return armRefusalReply(refusal(400, 'InvalidFilter', `The filter '${filter ?? ''}' is not supported. Only 'location eq' is.`));
  const rows = wanted.toLowerCase() === world.account.location ? catalog.skus : [];
  return pagedList(rows, request, { world, pageSize: 1_000 });
};

const listUsages = ({ world, catalog, quota }: LocationService, request: ArmRequest): ArmReply => {
  const families = [...new Set(catalog.skus.map((sku) => sku.family))].sort();
  const rows = (request.params['location'] ?? '').toLowerCase() === world.account.location ? quota.usages(families) : [];
  return pagedList(rows, request, { world, pageSize: 1_000 });
};

const listImageVersions = ({ world }: LocationService, request: ArmRequest): ArmReply => {
  const { gallery = '', image = '' } = request.params;
  const versions = world.images.versionsOf(gallery, image);
  if (versions === undefined) {
    return armRefusalReply(
      refusal(404, 'NotFound', `The gallery image ${image} of community gallery ${gallery} is not available in ${world.account.location}.`),
    );
  }
  const rows = versions.map((known) => ({
    name: known.version,
    location: world.account.location,
    type: 'Microsoft.Compute/Locations/CommunityGalleries/Images/Versions',
    properties: { publishedDate: new Date(known.publishedAtMs).toISOString(), excludeFromLatest: false },
    identifier: { uniqueId: `/CommunityGalleries/${known.gallery}/Images/${known.definition}/Versions/${known.version}` },
  }));
  return pagedList(rows, request, { world });
};

const listNodeImages = ({ world }: LocationService): ArmReply =>
  ok({
    value: world.images
      .all()
      .filter(({ gallery }) => gallery in SHARED_GALLERIES)
      .map(({ gallery, definition, version }) => ({
        fullName: `${gallery}-${definition}-${version}`,
        os: gallery,
        sku: definition,
        version,
      })),
  });

const getEncryptionSet = ({ world }: LocationService, request: ArmRequest): ArmReply => {
  const id = world.account.diskEncryptionSetId;
  if (idKey(request.path) !== idKey(id)) return resourceNotFound(request, 'Microsoft.Compute/diskEncryptionSets');
  return ok({
    id,
    name: nameOf(id),
    type: 'Microsoft.Compute/diskEncryptionSets',
    location: world.account.location,
    properties: { provisioningState: 'Succeeded', encryptionType: 'EncryptionAtRestWithCustomerKey' },
  });
};

const listLocations = ({ world }: LocationService): ArmReply =>
  ok({
    value: azureLocations.map((location) => ({
      ...location,
      id: `/subscriptions/${world.account.subscriptionId}/locations/${location.name}`,
      subscriptionId: world.account.subscriptionId,
    })),
  });

/** What the subscription may use in its location: sizes, quota, images, encryption sets, and which locations there are. */
export const locationRoutes = (service: LocationService): readonly ArmRoute[] => {
  const compute = '/subscriptions/{subscriptionId}/providers/Microsoft.Compute';
  return [
    { operation: 'ResourceSkus_List', method: 'GET', path: `${compute}/skus`, handle: (request) => listSkus(service, request) },
    {
      operation: 'Usage_List',
      method: 'GET',
      path: `${compute}/locations/{location}/usages`,
      handle: (request) => listUsages(service, request),
    },
    spotScoreRoute(service),
    {
      operation: 'CommunityGalleryImageVersions_List',
      method: 'GET',
      path: `${compute}/locations/{location}/communityGalleries/{gallery}/images/{image}/versions`,
      handle: (request) => listImageVersions(service, request),
    },
    {
      operation: 'NodeImageVersions_List',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.ContainerService/locations/{location}/nodeImageVersions',
      handle: () => listNodeImages(service),
    },
    {
      operation: 'DiskEncryptionSets_Get',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/Microsoft.Compute/diskEncryptionSets/{name}',
      handle: (request) => getEncryptionSet(service, request),
    },
    {
      operation: 'Subscriptions_ListLocations',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/locations',
      handle: () => listLocations(service),
    },
  ];
};
