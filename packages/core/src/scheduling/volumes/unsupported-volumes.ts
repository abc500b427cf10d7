import type { StorageClass } from '../../kube/index.ts';

/**
 * Volumes that no node of a provider can have. Source: the original's `UnsupportedProvisioners` and
 * `UnsupportedTopologyKeys`.
 */
export interface UnsupportedVolumes {
  /** CSI drivers, or provisioners as StorageClasses name them. */
  readonly provisioners?: ReadonlySet<string>;
  /** Label keys in `allowedTopologies` that no node will carry. */
  readonly topologyKeys?: ReadonlySet<string>;
}

/** Why the provider's nodes cannot have volumes of the driver. */
export const unsupportedDriver = (driver: string | undefined, { provisioners }: UnsupportedVolumes): string | undefined =>
  driver !== undefined && provisioners?.has(driver) === true
    ? `its provisioner ${driver} does not work on nodes that Karpenter launches; use another StorageClass`
    : undefined;

/** Why the provider's nodes cannot have volumes that the class makes. */
export const unsupportedClass = (
  { metadata: { name }, provisioner, allowedTopologies = [] }: StorageClass,
  unsupported: UnsupportedVolumes,
): string | undefined => {
  const keys = allowedTopologies.flatMap(({ matchLabelExpressions = [] }) => matchLabelExpressions.map(({ key }) => key));
  const key = keys.find((each) => unsupported.topologyKeys?.has(each));
  if (key === undefined) return unsupportedDriver(provisioner, unsupported);
  return `its StorageClass ${name} allows topologies of ${key}, a label that no node of this provider has; use another StorageClass`;
};
