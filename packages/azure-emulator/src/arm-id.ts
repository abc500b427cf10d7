/**
 * The parts of an ARM id below a resource group:
 * `…/resourceGroups/{resourceGroup}/providers/{provider}/{type}/{name}[/{childType}/{child}]`.
 */
export interface ArmId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly provider: string;
  /** Type and name, alternating. */
  readonly path: readonly string[];
}

const ARM_ID = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/(.+)$/i;

/** The parts of an ARM id; undefined for other texts. */
export const parseArmId = (id: string): ArmId | undefined => {
  const match = ARM_ID.exec(id);
  if (!match) return undefined;
  const [, subscriptionId = '', resourceGroup = '', provider = '', path = ''] = match;
  return { subscriptionId, resourceGroup, provider, path: path.split('/') };
};

/** The last segment of an id or a path. */
export const nameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** What an id or a path is below: all but its last segment. */
export const parentOf = (id: string): string => id.slice(0, id.lastIndexOf('/'));

/** ARM compares ids ignoring case; this is the form to compare and to key maps by. */
export const idKey = (id: string): string => id.toLowerCase();
