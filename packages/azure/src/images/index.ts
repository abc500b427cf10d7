export { distroOf } from './distro.ts';
export { communityGalleryOf, communityImageId, sharedImageId } from './gallery.ts';
export { type ImageDefinition, imageDefinitionsOf, keepingVersions, newestVersionOf, type PublishedVersion } from './image-definition.ts';
export { minorOf, osSkuOf, type ResolvedFamily, resolveFamily } from './image-family.ts';
export { newestNodeImage, nodeImageNameOf, type NodeImageVersion, releaseOf } from './node-image-version.ts';
export { type MaintenanceWindow, maintenanceWindowOf } from './maintenance-window.ts';
