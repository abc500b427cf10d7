export { distroOf } from './distro.ts';
export { communityGalleryOf, communityImageId, sharedImageId } from './gallery.ts';
export { type ImageDefinition, imageDefinitionsOf } from './image-definition.ts';
export { minorOf, osSkuOf, type ResolvedFamily, resolveFamily } from './image-family.ts';
export { keepingVersions } from './images-in-force.ts';
export { type MaintenanceWindow, maintenanceWindowOf } from './maintenance-window.ts';
export { newestVersionOf, type PublishedVersion } from './image-version.ts';
export { nodeImageNameOf } from './node-image-name.ts';
export { newestNodeImage, type NodeImageVersion } from './node-image-version.ts';
