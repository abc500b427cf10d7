import { patchNode, patchNodeClaim, writeClaimStatus, writePoolStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import {
  TERMINATION_FINALIZER,
  hashAnnotations,
  labels,
  nodeClaimConditions,
  nodePoolNameOf,
  unregisteredTaint,
} from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { PLANNED_PODS_ANNOTATION, REPLACES_ANNOTATION, isEphemeralTaint, isSameTaint } from '../../../state/index.ts';
import type { LaunchFailure, LaunchStep } from '../../../state/index.ts';
import { poolHealthChanges } from '../../watches.ts';
import type { Shell } from '../../shell.ts';
import type { CloudProvider, HookAnswer, NodeAdditions, RegistrationHook } from '../../../cloudprovider/index.ts';
import { ageMs, tolerates } from '../../../kube/index.ts';
import type { Node, ObjectMeta, OwnerReference, Taint } from '../../../kube/index.ts';
import { compareText, structuralHash } from '../../../base/index.ts';

/** What became of a claim, as its pool should know. */
export type ClaimOutcome =
  | { readonly kind: 'reached'; readonly step: LaunchStep }
  /** Deleted before it reached `step`, or never created. */
  | (Omit<LaunchFailure, 'claimName'> & { readonly kind: 'failed' });

/** Whether every entry is there already. */
const isWithin = (entries: Readonly<Record<string, string>>, all: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(entries).every(([key, value]) => all[key] === value);

/**
 * The pool that made the claim, if it is still the same one and its template has not changed. A claim of another author
 * says nothing about the pool whose label it has: what Karpenter makes has the pool's uid, node class and hash.
 */
export const makerOf = ({ caches }: Shell, claim: NodeClaim): NodePool | undefined => {
  const pool = caches.nodePools.get({ name: nodePoolNameOf(claim) });
  if (pool === undefined) return undefined;
  const { ownerReferences = [], annotations = {} } = claim.metadata;
  const isOwner = ownerReferences.some(({ uid }) => uid === pool.metadata.uid);
  const isOfClass = structuralHash(claim.spec.nodeClassRef) === structuralHash(pool.spec.template.spec.nodeClassRef);
  return isOwner && isOfClass && isWithin(hashAnnotations(pool), annotations) ? pool : undefined;
};

const remember = ({ state }: Shell, { claim, pool }: { claim: NodeClaim; pool: NodePool }, outcome: ClaimOutcome): void => {
  const { name, uid = name } = pool.metadata;
  const claimId = claim.metadata.uid ?? claim.metadata.name;
  const isAboutNode = outcome.step === 'registered' || (outcome.step === 'launched' && outcome.kind === 'failed');
  if (isAboutNode) state.registrations.add(uid, { claimId, isRegistered: outcome.kind === 'reached' });
  if (outcome.kind === 'reached') {
    state.launches.succeeded(name, outcome.step);
    return;
  }
  const { kind: _, ...failure } = outcome;
  state.launches.failed(name, { ...failure, claimName: claim.metadata.name });
};

/**
 * Remembers what became of a claim, and writes it on its pool where that changes what the pool says of itself. Report
 * first what the claim's status says already: a conflict here starts a reconcile that no longer takes that step.
 */
export const reportPool = async (
  shell: Shell,
  { claim, outcome }: { claim: NodeClaim; outcome: ClaimOutcome },
  signal: AbortSignal,
): Promise<void> => {
  const pool = makerOf(shell, claim);
  if (pool === undefined) return;
  remember(shell, { claim, pool }, outcome);
  const cause = outcome.kind === 'failed' && outcome.step === 'launched' ? outcome : undefined;
  const conditions = poolHealthChanges(pool, { state: shell.state, cause });
  if (conditions.length > 0) await writePoolStatus(shell, { pool, conditions }, { signal, nowMs: shell.clock.now() });
};

/** What the hooks of a provider say about a claim. */
export interface AskedHooks {
  /** Those that are not satisfied yet or have failed, sorted. */
  readonly pending: readonly string[];
  /** When to ask these again. */
  readonly inMs: number;
  /** What those that are satisfied add; a hook whose name comes later wins. */
  readonly adds: Required<NodeAdditions>;
  /** What hooks have thrown. */
  readonly errors: readonly unknown[];
}

const ASK_AGAIN_MS = 1000;

const additionsOf = (answers: readonly HookAnswer[]): Required<NodeAdditions> => {
  const adds = answers.flatMap((answer) => (answer.kind === 'satisfied' && answer.adds !== undefined ? [answer.adds] : []));
  return {
    labels: Object.assign({}, ...adds.map(({ labels }) => labels)) as Readonly<Record<string, string>>,
    annotations: Object.assign({}, ...adds.map(({ annotations }) => annotations)) as Readonly<Record<string, string>>,
    taints: adds.flatMap(({ taints = [] }) => taints),
  };
};

/** Asks all hooks concurrently, each time. One that fails counts as waiting. */
const askHooks = async (
  { registrationHooks = [] }: Pick<CloudProvider, 'registrationHooks'>,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<AskedHooks> => {
  const byName = registrationHooks.toSorted((a, b) => compareText(a.name, b.name));
  const errors: unknown[] = [];
  const ask = (hook: RegistrationHook): Promise<HookAnswer> =>
    hook.check(claim, { signal }).catch((error: unknown) => {
      errors.push(error);
      return { kind: 'waiting' };
    });
  const answers = await Promise.all(byName.map(async (hook) => ({ name: hook.name, answer: await ask(hook) })));
  const waiting = answers.flatMap(({ name, answer }) => (answer.kind === 'waiting' ? [{ name, inMs: answer.inMs ?? ASK_AGAIN_MS }] : []));
  return {
    pending: waiting.map(({ name }) => name),
    inMs: Math.min(...waiting.map(({ inMs }) => inMs)),
    adds: additionsOf(answers.map(({ answer }) => answer)),
    errors,
  };
};

/** Writes the labels and annotations that hooks add on the claim. Returns the claim after that; undefined when it is gone. */
const addToClaim = async (
  shell: Shell,
  { claim, adds: { labels, annotations } }: { claim: NodeClaim; adds: Required<NodeAdditions> },
  signal: AbortSignal,
): Promise<NodeClaim | undefined> => {
  const { metadata } = claim;
  if (!isWithin(labels, metadata.labels) || !isWithin(annotations, metadata.annotations)) {
    const body = { metadata: { labels: { ...metadata.labels, ...labels }, annotations: { ...metadata.annotations, ...annotations } } };
    await patchNodeClaim(shell, { claim, body }, { signal });
  }
  const current = shell.caches.nodeClaims.get({ name: metadata.name });
  return current?.metadata.uid === metadata.uid ? current : undefined;
};

/** What a node is to say once it is known whose it is. */
interface RegisteredNode {
  readonly metadata: Pick<ObjectMeta, 'finalizers' | 'ownerReferences' | 'labels' | 'annotations'>;
  readonly spec: { readonly taints: readonly Taint[] };
}

const ownersOf = (node: Node, { metadata: { name, uid = '' } }: NodeClaim): readonly OwnerReference[] => {
  const others = node.metadata.ownerReferences?.filter((owner) => owner.kind !== 'NodeClaim') ?? [];
  return [...others, { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name, uid, blockOwnerDeletion: true }];
};

const isRegistered = ({ metadata }: Node): boolean => metadata.labels?.[labels.registered] === 'true';

/**
 * The node's taints, those of the claim and those that hooks add, the node's winning. The bootstrap of some nodes sets
 * the claim's itself (`do-not-sync-taints`); it cannot know those of hooks.
 */
const syncedTaints = (node: Node, claim: NodeClaim, added: readonly Taint[]): readonly Taint[] => {
  const own = node.spec?.taints ?? [];
  if (isRegistered(node)) return own;
  const isSynced = node.metadata.labels?.[labels.doNotSyncTaints] !== 'true';
  const wanted = [...(isSynced ? [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])] : []), ...added];
  const missing = wanted.filter((taint) => !own.some((each) => isSameTaint(each, taint)));
  return [...own, ...missing];
};

/**
 * The node as its claim wants it, still tainted; labels and annotations of the claim win. Taints are synced once: later
 * ones are the node's own.
 */
const recognizedNode = (node: Node, claim: NodeClaim, added: readonly Taint[] = []): RegisteredNode => {
  const { [PLANNED_PODS_ANNOTATION]: _, [REPLACES_ANNOTATION]: __, ...claimAnnotations } = claim.metadata.annotations ?? {};
  const finalizers = new Set([...(node.metadata.finalizers ?? []), TERMINATION_FINALIZER]);
  return {
    metadata: {
      finalizers: [...finalizers],
      ownerReferences: ownersOf(node, claim),
      labels: { ...node.metadata.labels, ...claim.metadata.labels },
      annotations: { ...node.metadata.annotations, ...claimAnnotations },
    },
    spec: { taints: syncedTaints(node, claim, added) },
  };
};

/** The same, open for pods: without the taint that kept everything off an unknown machine. */
export const registeredNode = (node: Node, claim: NodeClaim, added: readonly Taint[]): RegisteredNode => {
  const { metadata, spec } = recognizedNode(node, claim, added);
  return {
    metadata: { ...metadata, labels: { ...metadata.labels, [labels.registered]: 'true' } },
    spec: { taints: spec.taints.filter((taint) => !isSameTaint(taint, unregisteredTaint)) },
  };
};

/** Whether the machine came up open to everything: its bootstrap forgot the taint. */
export const isTaintMissing = (node: Node): boolean =>
  !isRegistered(node) && !(node.spec?.taints ?? []).some((taint) => isSameTaint(taint, unregisteredTaint));

const { registered: type } = nodeClaimConditions;
const NOTHING_TO_WAIT_FOR = Number.POSITIVE_INFINITY;

/** Of a claim whose machine has not joined yet. */
export const nodeNotFound: ConditionChange = {
  type,
  status: 'Unknown',
  reason: 'NodeNotFound',
  message: 'Node not registered with cluster',
};

const notYet = (nodes: readonly Node[]): ConditionChange =>
  nodes.length === 0
    ? nodeNotFound
    : {
        type,
        status: 'False',
        reason: 'MultipleNodesFound',
        message: `Nodes: ${nodes.map(({ metadata }) => metadata.name).join(', ')}`,
      };

/** Whether the node has everything that `recognizedNode` would set. */
const isInSync = ({ metadata, spec }: Node, wanted: ReturnType<typeof recognizedNode>): boolean => {
  const { finalizers, ownerReferences, labels = {}, annotations = {} } = metadata;
  const has = { metadata: { finalizers, ownerReferences, labels, annotations }, spec: { taints: spec?.taints ?? [] } };
  return structuralHash(has) === structuralHash({ ...wanted });
};

/** Syncs the node from its claim, but keeps it tainted until the hooks are satisfied. */
const waitForHooks = async (
  shell: Shell,
  { claim, node, hooks }: { claim: NodeClaim; node: Node; hooks: AskedHooks },
  signal: AbortSignal,
): Promise<number> => {
  const body = recognizedNode(node, claim);
  if (!isInSync(node, body) && (await patchNode(shell, { node, body }, { signal })) === 'gone') return NOTHING_TO_WAIT_FOR;
  const waiting: ConditionChange = { type, status: 'Unknown', reason: 'RegistrationHookPending', message: hooks.pending.join(', ') };
  await writeClaimStatus(shell, { claim, conditions: [waiting] }, { signal, nowMs: shell.clock.now() });
  // The loop logs it, and asks again with backoff.
  if (hooks.errors.length > 0) throw hooks.errors[0];
  return hooks.inMs;
};

/**
 * Remembers which of the added taints keep away pods that are nominated for the node. Startup taints and those that
 * Kubernetes removes keep away nobody for long.
 */
const rememberHookTaints = (
  { state }: Shell,
  { metadata, spec: { startupTaints = [] } }: NodeClaim,
  { nodeName, added }: { readonly nodeName: string; readonly added: readonly Taint[] },
): void => {
  const poolName = metadata.labels?.[labels.nodePool];
  if (poolName === undefined) return;
  const pods = state.nominatedOn(nodeName);
  const lasting = added.filter((taint) => !isEphemeralTaint(taint) && !startupTaints.some((each) => isSameTaint(each, taint)));
  const refusing = lasting.filter((taint) => pods.some(({ spec }) => !tolerates([taint], spec.tolerations)));
  state.launches.hookTaints.opened(poolName, { added, refusing });
};

/** Nominates pods before it opens the node, because kube-scheduler then binds them in an order of its own. */
const open = async (
  shell: Shell,
  { claim, node, added }: { claim: NodeClaim; node: Node; added: readonly Taint[] },
  signal: AbortSignal,
): Promise<void> => {
  const at = { signal, nowMs: shell.clock.now() };
  const nodeName = node.metadata.name;
  rememberHookTaints(shell, claim, { nodeName, added });
  await shell.podNominations?.announce(nodeName, signal);
  if ((await patchNode(shell, { node, body: registeredNode(node, claim, added) }, { signal })) === 'gone') return;
  await writeClaimStatus(shell, { claim, conditions: [{ type, status: 'True' }], fields: { nodeName } }, at);
  shell.reporter.report({ kind: 'registered', claim, nodeName, tookMs: ageMs(claim.metadata, at.nowMs) });
  await reportPool(shell, { claim, outcome: { kind: 'reached', step: 'registered' } }, signal);
};

/**
 * Registers the claim's node and opens it for pods. Returns in how many milliseconds to check again (Infinity: when
 * something changes).
 */
export const register = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<number> => {
  const nodes = shell.state.nodesOf(claim);
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) {
    await writeClaimStatus(shell, { claim, conditions: [notYet(nodes)] }, { signal, nowMs: shell.clock.now() });
    return NOTHING_TO_WAIT_FOR;
  }
  if (isTaintMissing(node)) shell.reporter.report({ kind: 'taint-missing', claim, nodeName: node.metadata.name });
  const hooks = await askHooks(shell.provider, claim, signal);
  if (hooks.pending.length > 0) return waitForHooks(shell, { claim, node, hooks }, signal);
  const complete = await addToClaim(shell, { claim, adds: hooks.adds }, signal);
  if (complete !== undefined) await open(shell, { claim: complete, node, added: hooks.adds.taints }, signal);
  return NOTHING_TO_WAIT_FOR;
};
