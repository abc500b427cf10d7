import { conditionIn } from '../objects/conditions.ts';
import type { NodeObject } from '../objects/node.ts';
import type { CloudView } from './cloud-view.ts';
import { isUninitialized } from './initialized-node.ts';

/** So long a new node is left to whoever initialises it. */
const UNINITIALIZED_GRACE_MS = 60_000;

const isReady = (node: NodeObject): boolean => conditionIn(node.status?.conditions, 'Ready')?.status === 'True';

/**
 * Whether the cloud has no machine of the node any more. A node that nobody has initialised is known to the cloud by
 * its name; any other that carries no id is not the cloud's.
 */
const isWithoutMachine = (node: NodeObject, cloud: CloudView, nowMs: number): boolean => {
  const { name = '', creationTimestamp } = node.metadata;
  const providerId = node.spec?.providerID;
  if (providerId !== undefined) return !cloud.exists(providerId);
  const isOld = creationTimestamp !== undefined && nowMs >= Date.parse(creationTimestamp) + UNINITIALIZED_GRACE_MS;
  return isUninitialized(node) && isOld && cloud.machineOf(name) === undefined;
};

/** Whether the cloud controller takes the node away: it is not Ready, and its machine is gone. */
export const isLost = (node: NodeObject, cloud: CloudView, nowMs: number): boolean =>
  !isReady(node) && node.metadata.deletionTimestamp === undefined && isWithoutMachine(node, cloud, nowMs);
