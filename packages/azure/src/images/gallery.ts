/** A gallery of AKS, by its name as a shared one. */
export type Gallery = 'AKSUbuntu' | 'AKSAzureLinux';

/** Source: the original's `pkg/providers/imagefamily`. */
const GALLERIES: Readonly<Record<Gallery, { readonly community: string; readonly resourceGroup: string }>> = {
  AKSUbuntu: { community: 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2', resourceGroup: 'AKS-Ubuntu' },
  AKSAzureLinux: { community: 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b', resourceGroup: 'AKS-AzureLinux' },
};

interface InGallery {
  readonly gallery: Gallery;
  /** Of the definition. */
  readonly name: string;
}

/** The public name of a gallery among those of the community. */
export const communityGalleryOf = ({ gallery }: Pick<InGallery, 'gallery'>): string => GALLERIES[gallery].community;

export const communityImageId = ({ gallery, name }: InGallery, version: string): string =>
  `/CommunityGalleries/${GALLERIES[gallery].community}/images/${name}/versions/${version}`;

/** The ARM id of a version in the shared gallery of a subscription. */
export const sharedImageId = (subscriptionId: string, { gallery, name }: InGallery, version: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${GALLERIES[gallery].resourceGroup}/providers/Microsoft.Compute/galleries/${gallery}/images/${name}/versions/${version}`;
