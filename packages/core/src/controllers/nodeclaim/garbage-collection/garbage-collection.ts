import { Failures, requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import type { CloudProvider, Machine } from '../../../cloudprovider/index.ts';
import { isConditionTrue } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isDeleting, isRegistered } from '../../../state/index.ts';
import { deleteNodeClaim } from '../../../actions/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';

/** What the cloud and the cluster say about machines at one time. */
export interface Inventory {
  readonly machines: readonly Machine[];
  readonly claims: readonly NodeClaim[];
  readonly nodesWith: (providerId: string) => readonly Node[];
  readonly nowMs: number;
}

const isReady = (node: Node): boolean => isConditionTrue(node.status?.conditions, 'Ready');

/** Whether a claim's machine is gone: it registered once, the cloud does not know it now, and no node of it still answers. */
export const lacksMachine = ({ machines, nodesWith }: Inventory): ((claim: NodeClaim) => boolean) => {
  const alive = new Set(machines.filter(({ isTerminating }) => isTerminating !== true).map(({ providerId }) => providerId));
  return (claim) => {
    const id = claim.status?.providerID;
    return isRegistered(claim) && !isDeleting(claim) && id !== undefined && !alive.has(id) && !nodesWith(id).some(isReady);
  };
};

/** Younger machines may belong to a claim that is only being written down. */
const ORPHAN_GRACE_MS = 60_000;

/** Whether a machine is past the grace period and no claim names it by id or by name. One of unknown age is past it. */
export const lacksClaim = ({ claims, nowMs }: Inventory): ((machine: Machine) => boolean) => {
  const ids = new Set(claims.flatMap(({ status }) => status?.providerID ?? []));
  const names = new Set(claims.map(({ metadata }) => metadata.name));
  return ({ providerId, claimName, isTerminating, createdAt }) =>
    isTerminating !== true &&
    !ids.has(providerId) &&
    (claimName === undefined || !names.has(claimName)) &&
    nowMs >= (epochMsOf(createdAt) ?? Number.NEGATIVE_INFINITY) + ORPHAN_GRACE_MS;
};

const PERIOD_MS = 2 * 60_000;
const UNSYNCED_MS = 1000;

/** A stand-in with what the provider needs to find the machine. */
const standInFor = ({ providerId, claimName, labels }: Machine, provider: CloudProvider): NodeClaim => {
  const [nodeClass] = provider.getSupportedNodeClasses();
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: claimName ?? providerId.slice(providerId.lastIndexOf('/') + 1), labels },
    spec: { requirements: [], nodeClassRef: { group: nodeClass?.group ?? '', kind: nodeClass?.kind ?? '', name: '' } },
    status: { providerID: providerId },
  };
};

/** The cache may be stale: a machine is deleted only when the API server itself knows no claim of its name. */
const isOrphan = async ({ kube }: Shell, { claimName }: Machine, signal: AbortSignal): Promise<boolean> =>
  claimName === undefined || (await kube.get('NodeClaim', { name: claimName }, { signal })) === undefined;

/** The list may be stale: a claim is deleted only when the cloud, asked for its machine, knows none. */
const isWithoutMachine = async ({ provider }: Shell, { status }: NodeClaim, signal: AbortSignal): Promise<boolean> => {
  const machine = await provider.get(status?.providerID ?? '', { signal });
  return machine === undefined || machine.isTerminating === true;
};

const collectClaim = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<void> => {
  if (await isWithoutMachine(shell, claim, signal)) await deleteNodeClaim(shell, claim, { reason: 'garbage_collected', signal });
};

const collectMachine = async (shell: Shell, machine: Machine, signal: AbortSignal): Promise<void> => {
  if (!(await isOrphan(shell, machine, signal))) return;
  await shell.provider.delete(standInFor(machine, shell.provider), { signal });
  shell.reporter.report({ kind: 'machine-collected', providerId: machine.providerId });
};

/**
 * Deletes machines without a claim, and claims whose machine is gone. A pass lasts at most one period; the next one
 * lists again.
 *
 * Errors: what could not be deleted, once all others were tried.
 */
export const garbageCollection = (shell: Shell): SingletonController => ({
  name: 'nodeclaim.garbagecollection',
  async reconcile({ signal }) {
    if (!shell.state.hasSynced()) return requeueAfter(UNSYNCED_MS);
    const machines = await shell.provider.list({ signal });
    const inventory = {
      machines,
      // All of them: a claim that is left out elsewhere still has its machine.
      claims: shell.caches.nodeClaims.list(),
      nodesWith: (id: string) => shell.state.nodesWith(id),
      nowMs: shell.clock.now(),
    };
    const failures = new Failures();
    const isLost = lacksMachine(inventory);
    const isOurs = ({ spec }: NodeClaim): boolean => isManaged(spec.nodeClassRef, shell.provider);
    const lost = shell.state.guard.filter('NodeClaim', inventory.claims, (claim) => isOurs(claim) && isLost(claim));
    await Promise.all(lost.map((claim) => failures.apart(collectClaim(shell, claim, signal))));
    const isUnclaimed = lacksClaim(inventory);
    const collect = async (machine: Machine): Promise<void> => {
      if (isUnclaimed(machine)) await collectMachine(shell, machine, signal);
    };
    for (const machine of machines) {
      if (signal.aborted || shell.clock.now() >= inventory.nowMs + PERIOD_MS) break;
      await failures.apart(collect(machine));
    }
    failures.throwIfAny('machines or claims could not be collected');
    return requeueAfter(PERIOD_MS);
  },
});
