import { parseKey, requeueAfter, settled } from '@karpenter/runtime';
import type { Controller, Outcome } from '@karpenter/runtime';
import { Evictions, patchNode, taintDisrupted, writeClaimStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node, PersistentVolumeClaim, Pod } from '../../../kube/index.ts';
import type { Shell } from '../../shell.ts';
import { ageMs, claimedVolumesOf, conditionOf, isConditionTrue, namespacedNameOf } from '../../../kube/index.ts';
import type { FollowedCache, VolumeAttachment } from '../../../ports/index.ts';
import { annotations, labels, nodeClaimConditions, nodeClassLabelKey, TERMINATION_FINALIZER } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { drainReport } from './drain-report.ts';
import { drainStep, isDrainable } from './drain-step.ts';
import type { DrainStep } from './drain-step.ts';

/** A node on its way out; `claim` is missing when it was deleted by hand. */
interface Leaving {
  readonly node: Node;
  readonly claim?: NodeClaim | undefined;
}

/** Writes a step of the way out onto the claim, as the cache has the claim now. */
const rememberOnClaim = async (
  shell: Shell,
  { claim, condition }: Leaving & { readonly condition: ConditionChange },
  signal: AbortSignal,
): Promise<void> => {
  const current = claim === undefined ? undefined : shell.caches.nodeClaims.get({ name: claim.metadata.name });
  if (current === undefined || current.metadata.uid !== claim?.metadata.uid) return;
  await writeClaimStatus(shell, { claim: current, conditions: [condition] }, { signal, nowMs: shell.clock.now() });
};

/** Names of the volumes that the pods use through claims. Reads the cache: a pod may name thousands of claims. */
const volumesOf = (claims: AttachmentQuestion['claims'], pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(pods.flatMap(claimedVolumesOf).flatMap(({ claim }) => claims.get(parseKey(claim))?.spec?.volumeName ?? []));

interface AttachmentQuestion {
  readonly attachments: readonly VolumeAttachment[];
  /** Pods that stay on the node until the end: their volumes are not waited for. */
  readonly staying: readonly Pod[];
  readonly claims: Pick<FollowedCache<PersistentVolumeClaim>, 'get'>;
}

/** The attachments that must go before the machine does, so that no volume is cut off while it is written to. */
export const blockingAttachments = (
  nodeName: string,
  { attachments, staying, claims }: AttachmentQuestion,
): readonly VolumeAttachment[] => {
  const here = attachments.filter(({ spec }) => spec.nodeName === nodeName && spec.source.persistentVolumeName !== undefined);
  if (here.length === 0) return here;
  const spared = volumesOf(claims, staying);
  return here.filter(({ spec }) => !spared.has(spec.source.persistentVolumeName ?? ''));
};

/** The volumes of attachments, sorted; each with the claim that it is bound to, which people know, in brackets. */
export const volumeTexts = (
  attachments: readonly VolumeAttachment[],
  claims: readonly Pick<PersistentVolumeClaim, 'metadata' | 'spec'>[],
): readonly string[] => {
  const names = attachments.flatMap(({ spec }) => spec.source.persistentVolumeName ?? []);
  const texts = new Map(names.map((name) => [name, name]));
  // A cluster has many claims, and this is checked every second while a node waits: texts are made for few of them.
  for (const { metadata, spec: { volumeName = '' } = {} } of claims)
    if (texts.has(volumeName)) texts.set(volumeName, `${volumeName} (claim ${namespacedNameOf(metadata)})`);
  return [...texts.values()].sort();
};

const POLL_MS = 1000;
const INSTANCE_POLL_MS = 5000;
/** How long pods that were being bound when the taint was set have to show up. */
const MIN_DRAIN_MS = 5000;
const CONCURRENCY = 100;

const isMachineGone = async ({ provider }: Shell, { node }: Leaving, signal: AbortSignal): Promise<boolean> => {
  const providerId = node.spec?.providerID;
  if (providerId === undefined || isConditionTrue(node.status?.conditions, 'Ready')) return false;
  return (await provider.get(providerId, { signal })) === undefined;
};

const closeForPods = async (shell: Shell, node: Node, signal: AbortSignal): Promise<void> => {
  await taintDisrupted(shell, node, signal);
  const current = shell.caches.nodes.get({ name: node.metadata.name });
  if (current === undefined || current.metadata.labels?.[labels.excludeBalancers] === 'karpenter') return;
  await patchNode(shell, { node: current, body: { metadata: { labels: { [labels.excludeBalancers]: 'karpenter' } } } }, { signal });
};

type Draining = Leaving & { readonly evictions: Evictions };

const deadlineOf = ({ claim }: Leaving): number | undefined => epochMsOf(claim?.metadata.annotations?.[annotations.terminationTimestamp]);

const reportDeadline = ({ reporter }: Shell, { node, claim }: Leaving): void => {
  const deadline = claim?.metadata.annotations?.[annotations.terminationTimestamp];
  if (claim !== undefined && deadline !== undefined) reporter.report({ kind: 'deadline-nears', node, claim, deadline });
};

/** Whether the node was drained before, or was tainted long enough ago that no pod can still be on its way to it. */
const hasSettled = ({ claim }: Leaving, nowMs: number): boolean => {
  const drained = conditionOf(claim?.status?.conditions, nodeClaimConditions.drained);
  const sinceMs = epochMsOf(drained?.lastTransitionTime);
  return claim === undefined || drained?.status === 'True' || (sinceMs !== undefined && nowMs >= sinceMs + MIN_DRAIN_MS);
};

/** Why the node goes: the reason of the command that tainted it. */
const evictionReasonOf = ({ claim }: Leaving): string =>
  conditionOf(claim?.status?.conditions, nodeClaimConditions.disruptionReason)?.reason ?? 'Forceful Termination';

/** Records, once, that every pod that had to leave has left. */
const rememberDrained = async (shell: Shell, leaving: Leaving, signal: AbortSignal): Promise<void> => {
  const { node, claim } = leaving;
  if (claim === undefined || isConditionTrue(claim.status?.conditions, nodeClaimConditions.drained)) return;
  await rememberOnClaim(shell, { ...leaving, condition: { type: nodeClaimConditions.drained, status: 'True' } }, signal);
  shell.reporter.report({ kind: 'node-drained', node, claim });
};

/** Reports a drain that hangs. Returns what it waits for, in words. */
const reportWaiting = ({ reporter, clock }: Shell, { node, claim, evictions }: Draining, step: DrainStep): string => {
  const nowMs = clock.now();
  const sinceMs = epochMsOf(node.metadata.deletionTimestamp) ?? nowMs;
  const report = drainReport(step, { nowMs, sinceMs, refusalOf: (pod) => evictions.refusalOf(pod) });
  if (report.holds.length > 0) reporter.report({ kind: 'drain-waiting', node, ...(claim === undefined ? {} : { claim }), ...report });
  return report.message;
};

/**
 * True once every pod that has to leave has left. A failed eviction is thrown only after the report: it must not hide
 * why the drain waits.
 */
const drain = async (shell: Shell, leaving: Draining, signal: AbortSignal): Promise<boolean> => {
  const nowMs = shell.clock.now();
  const step = drainStep(shell.state.podsOn(leaving.node.metadata.name), { nowMs, deadlineMs: deadlineOf(leaving) });
  const reason = evictionReasonOf(leaving);
  const requests = [
    ...step.evict.map((pod) => leaving.evictions.evict(pod, { reason, signal })),
    ...step.force.map(({ pod, graceSeconds }) => leaving.evictions.force(pod, { graceSeconds, reason, signal })),
  ];
  await Promise.allSettled(requests);
  if (step.waitingFor.length === 0 && hasSettled(leaving, nowMs)) return true;
  reportDeadline(shell, leaving);
  const message = reportWaiting(shell, leaving, step);
  await rememberOnClaim(
    shell,
    { ...leaving, condition: { type: nodeClaimConditions.drained, status: 'Unknown', reason: 'Draining', message } },
    signal,
  );
  await Promise.all(requests);
  return false;
};

/** True once no volume is attached that pods still write to, or the node's time is up. */
const detach = async (shell: Shell, leaving: Leaving, signal: AbortSignal): Promise<boolean> => {
  const nowMs = shell.clock.now();
  const type = nodeClaimConditions.volumesDetached;
  const nodeName = leaving.node.metadata.name;
  const staying = shell.state.podsOn(nodeName).filter((pod) => !isDrainable(pod, nowMs));
  const attachments = shell.caches.volumeAttachments.list();
  const blocking = blockingAttachments(nodeName, { attachments, staying, claims: shell.caches.persistentVolumeClaims });
  const isTimeUp = nowMs >= (deadlineOf(leaving) ?? Number.POSITIVE_INFINITY);
  if (blocking.length === 0) await rememberOnClaim(shell, { ...leaving, condition: { type, status: 'True' } }, signal);
  else if (isTimeUp)
    await rememberOnClaim(shell, { ...leaving, condition: { type, status: 'False', reason: 'TerminationGracePeriodElapsed' } }, signal);
  else {
    const volumes = volumeTexts(blocking, shell.caches.persistentVolumeClaims.list());
    const { node, claim } = leaving;
    shell.reporter.report({ kind: 'volumes-awaited', node, ...(claim === undefined ? {} : { claim }), volumes });
    const message = `Awaiting the detachment of volumes: ${volumes.join(', ')}`;
    await rememberOnClaim(
      shell,
      { ...leaving, condition: { type, status: 'Unknown', reason: 'AwaitingVolumeDetachment', message } },
      signal,
    );
  }
  return blocking.length === 0 || isTimeUp;
};

/** True once the cloud says that the machine is gone. */
const deleteMachine = async (shell: Shell, leaving: Leaving, signal: AbortSignal): Promise<boolean> => {
  if (leaving.claim === undefined) return true;
  if ((await shell.provider.delete(leaving.claim, { signal })) === 'gone') return true;
  await rememberOnClaim(shell, { ...leaving, condition: { type: nodeClaimConditions.instanceTerminating, status: 'True' } }, signal);
  return false;
};

const releaseNode = async (shell: Shell, { node, claim }: Leaving, signal: AbortSignal): Promise<Outcome> => {
  const current = shell.caches.nodes.get({ name: node.metadata.name });
  if (current === undefined) return settled;
  const finalizers = (current.metadata.finalizers ?? []).filter((each) => each !== TERMINATION_FINALIZER);
  // The cache may still have a node that this process has released: its end is reported once.
  if ((await patchNode(shell, { node: current, body: { metadata: { finalizers } } }, { signal })) === 'gone') return settled;
  const nowMs = shell.clock.now();
  const tookMs = nowMs - (epochMsOf(node.metadata.deletionTimestamp) ?? nowMs);
  const lifetimeMs = ageMs(node.metadata, nowMs);
  shell.reporter.report({ kind: 'node-terminated', node, ...(claim === undefined ? {} : { claim }), tookMs, lifetimeMs });
  return settled;
};

/** Whether the node is being deleted and belongs to this provider. A node without a claim names its NodeClass in a label. */
const isOurs = ({ provider }: Shell, { node: { metadata }, claim }: Leaving): boolean =>
  metadata.deletionTimestamp !== undefined &&
  metadata.finalizers?.includes(TERMINATION_FINALIZER) === true &&
  (claim !== undefined || provider.getSupportedNodeClasses().some((kind) => metadata.labels?.[nodeClassLabelKey(kind)] !== undefined));

/**
 * Terminates a deleted node: closes it for new pods, drains it, waits for its volumes, deletes the machine, and then
 * lets the Node object go.
 */
export const termination = (shell: Shell): Controller<Node> => {
  const evictions = new Evictions(shell);
  return {
    name: 'node.termination',
    kind: 'Node',
    concurrency: CONCURRENCY,
    async reconcile(node, { signal }) {
      const claim = shell.state.claimOf(node);
      const leaving = { node, claim };
      if (!isOurs(shell, leaving)) return settled;
      if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) {
        const { name, uid } = claim.metadata;
        await shell.kube.delete('NodeClaim', { name }, { signal, ...(uid === undefined ? {} : { uid }) });
      }
      if (await isMachineGone(shell, leaving, signal)) return releaseNode(shell, leaving, signal);
      await closeForPods(shell, node, signal);
      if (!(await drain(shell, { ...leaving, evictions }, signal))) return requeueAfter(POLL_MS);
      await rememberDrained(shell, leaving, signal);
      if (!(await detach(shell, leaving, signal))) return requeueAfter(POLL_MS);
      if (!(await deleteMachine(shell, leaving, signal))) return requeueAfter(INSTANCE_POLL_MS);
      return releaseNode(shell, leaving, signal);
    },
  };
};
