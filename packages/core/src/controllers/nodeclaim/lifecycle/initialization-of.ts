import { annotations } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { isConditionTrue, resourcesOf } from '../../../kube/index.ts';
import type { Node, Taint } from '../../../kube/index.ts';
import { isEphemeralTaint, isSameTaint } from '../../../state/index.ts';

type Missing =
  | 'NodeNotFound'
  | 'NodeNotReady'
  | 'StartupTaintsExist'
  | 'KnownEphemeralTaintsExist'
  | 'ResourceNotRegistered'
  | 'DRADriverPoolsNotPublished';

/** Whether pods can run on a node, or what is still missing. */
export type Initialization =
  | { readonly kind: 'initialized' }
  | {
      readonly kind: 'waiting';
      readonly reason: Missing;
      readonly message: string;
    };

const taintText = ({ key, value, effect }: Taint): string => `${key}${value === undefined ? '' : `=${value}`}:${effect}`;

/** The first requested resource that the node does not have (yet). */
const unregisteredResource = (claim: NodeClaim, node: Node): string | undefined => {
  const allocatable = resourcesOf(node.status?.allocatable);
  return Object.entries(resourcesOf(claim.spec.resources?.requests)).find(
    ([name, amount]) => amount > 0 && (allocatable[name] ?? 0) === 0,
  )?.[0];
};

/** The first driver whose devices pods wait for and that has not published a whole pool on the node (yet). */
const silentDriver = ({ metadata }: NodeClaim, drivers: ReadonlySet<string> | undefined): string | undefined =>
  drivers &&
  metadata.annotations?.[annotations.requestedDeviceDrivers]
    ?.split(',')
    .map((driver) => driver.trim())
    .find((driver) => driver !== '' && !drivers.has(driver));

/**
 * `drivers`: those that have published the node's devices; absent: nobody waits for them.
 * Source: the original's `pkg/controllers/nodeclaim/lifecycle/initialization.go`.
 */
export const initializationOf = (claim: NodeClaim, node: Node | undefined, drivers?: ReadonlySet<string>): Initialization => {
  if (node === undefined) return { kind: 'waiting', reason: 'NodeNotFound', message: 'Node not registered with cluster' };
  if (!isConditionTrue(node.status?.conditions, 'Ready'))
    return { kind: 'waiting', reason: 'NodeNotReady', message: 'Node status is NotReady' };
  const taints = node.spec?.taints ?? [];
  const startup = taints.find((taint) => claim.spec.startupTaints?.some((each) => isSameTaint(each, taint)));
  if (startup !== undefined)
    return { kind: 'waiting', reason: 'StartupTaintsExist', message: `StartupTaint "${taintText(startup)}" still exists` };
  const ephemeral = taints.find(isEphemeralTaint);
  if (ephemeral !== undefined) {
    return { kind: 'waiting', reason: 'KnownEphemeralTaintsExist', message: `KnownEphemeralTaint "${taintText(ephemeral)}" still exists` };
  }
  const resource = unregisteredResource(claim, node);
  if (resource !== undefined)
    return { kind: 'waiting', reason: 'ResourceNotRegistered', message: `Resource "${resource}" was requested but not registered` };
  const driver = silentDriver(claim, drivers);
  if (driver === undefined) return { kind: 'initialized' };
  const message = `DRA driver "${driver}" has not published a complete resource pool`;
  return { kind: 'waiting', reason: 'DRADriverPoolsNotPublished', message };
};
