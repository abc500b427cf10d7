import { annotations, labels, nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { ageMs, isConditionTrue, resourcesOf, taintAsText } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isEphemeralTaint, isSameTaint } from '../../../state/index.ts';
import { patchNode, writeClaimStatus } from '../../../actions/index.ts';
import type { Shell } from '../../shell.ts';
import { reportPool } from './registration.ts';

type Missing =
  | 'NodeNotFound'
  | 'NodeNotReady'
  | 'StartupTaintsExist'
  | 'KnownEphemeralTaintsExist'
  | 'ResourceNotRegistered'
  | 'DRADriverPoolsNotPublished';

/** Whether pods can run on a node, or what is still missing. */
type Initialization =
  | { readonly kind: 'initialized' }
  | {
      readonly kind: 'waiting';
      readonly reason: Missing;
      readonly message: string;
    };

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
    return { kind: 'waiting', reason: 'StartupTaintsExist', message: `StartupTaint "${taintAsText(startup)}" still exists` };
  const ephemeral = taints.find(isEphemeralTaint);
  if (ephemeral !== undefined) {
    return {
      kind: 'waiting',
      reason: 'KnownEphemeralTaintsExist',
      message: `KnownEphemeralTaint "${taintAsText(ephemeral)}" still exists`,
    };
  }
  const resource = unregisteredResource(claim, node);
  if (resource !== undefined)
    return { kind: 'waiting', reason: 'ResourceNotRegistered', message: `Resource "${resource}" was requested but not registered` };
  const driver = silentDriver(claim, drivers);
  if (driver === undefined) return { kind: 'initialized' };
  const message = `DRA driver "${driver}" has not published a complete resource pool`;
  return { kind: 'waiting', reason: 'DRADriverPoolsNotPublished', message };
};

const { initialized } = nodeClaimConditions;

const judged = ({ state }: Shell, claim: NodeClaim, node: Node | undefined): Initialization =>
  initializationOf(claim, node, node && state.devices?.driversOn(node.metadata.name));

/** Marks a registered node as initialized once pods can run there; until then records what is missing. */
export const initialize = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<void> => {
  const at = { signal, nowMs: shell.clock.now() };
  const node = shell.state.nodesOf(claim)[0];
  const initialization = judged(shell, claim, node);
  if (initialization.kind === 'waiting' || node === undefined) {
    const { reason, message } = initialization.kind === 'waiting' ? initialization : { reason: 'NodeNotFound', message: '' };
    await writeClaimStatus(shell, { claim, conditions: [{ type: initialized, status: 'Unknown', reason, message }] }, at);
    // kube-scheduler ends a nomination when it tries the pod while the node is still tainted.
    if (node !== undefined) await shell.podNominations?.announce(node.metadata.name, signal);
    return;
  }
  const body = { metadata: { labels: { [labels.initialized]: 'true' } } };
  if ((await patchNode(shell, { node, body }, { signal })) === 'gone') return;
  await writeClaimStatus(shell, { claim, conditions: [{ type: initialized, status: 'True' }] }, at);
  shell.reporter.report({ kind: 'initialized', claim, nodeName: node.metadata.name, tookMs: ageMs(claim.metadata, at.nowMs) });
  await reportPool(shell, { claim, outcome: { kind: 'reached', step: 'initialized' } }, signal);
};
