/** A release as distros write it: Ubuntu with a point. */
const ubuntu = (definition: string, release: string): string => {
  const has = (part: string): boolean => definition.includes(part);
  const kind = has('arm64') ? '-arm64' : has('fips') ? '-fips' : '';
  return `aks-ubuntu${kind}-containerd-${release.slice(0, 2)}.${release.slice(2)}${has('CVM') ? '-cvm' : ''}${has('TL') ? '-tl' : ''}${has('gen2') ? '-gen2' : ''}`;
};

const azureLinux = (definition: string, release: string): string => {
  const has = (part: string): boolean => definition.includes(part);
  const parts = [has('arm64') && 'arm64', has('CVM') && 'cvm', has('gen2') && 'gen2', has('fips') && 'fips', has('TL') && 'tl'];
  return [`aks-azurelinux-v${release}`, ...parts.filter((part) => part !== false)].join('-');
};

/**
 * The name by which the node bootstrapping service knows the image of an id (`…/images/2204gen2containerd/versions/…` is
 * `aks-ubuntu-containerd-22.04-gen2`); undefined for an image that AKS does not publish.
 */
export const distroOf = (imageId: string): string | undefined => {
  const definition = /\/images\/([^/]+)\/versions\//i.exec(imageId)?.[1] ?? '';
  const [, release, major] = /^(?:(\d{4})|V(\d))/.exec(definition) ?? [];
  if (release !== undefined) return ubuntu(definition, release);
  return major === undefined ? undefined : azureLinux(definition, major);
};
