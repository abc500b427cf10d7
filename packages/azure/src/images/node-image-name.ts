/**
 * An image of the shared galleries as AKS names it on machines: `AKSUbuntu-2204gen2containerd-202611.03.0`. Undefined
 * for images of the community, which AKS gives to no machine.
 */
export const nodeImageNameOf = (imageId: string): string | undefined => {
  const [, gallery, definition, version] =
    /^\/subscriptions\/.+\/galleries\/([^/]+)\/images\/([^/]+)\/versions\/([^/]+)$/i.exec(imageId) ?? [];
  return gallery === undefined || definition === undefined || version === undefined ? undefined : `${gallery}-${definition}-${version}`;
};
