import type { ClaimConsumer } from '@karpenter/core/internal';
import { parseKey } from '@karpenter/runtime';
import { type ControlDeps, type StartController, together } from '../control/control-deps.ts';
import type { RequeueAfterMs } from '../control/work-loop.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { ALLOCATED_FINALIZER, deviceClaims, deviceClaimsOf, deviceClaimTemplates } from '../objects/device.ts';
import type { DeviceClaim, DeviceClaimUse } from '../objects/device.ts';
import { objectKeyText, objectKeyOf } from '../objects/object-key.ts';
import { hasEnded, podKind, type PodObject } from '../objects/pod.ts';
import { controllerOf } from '../workloads/owned-pod.ts';

const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';
/** The template is not there yet. */
const RETRY_MS = 1_000;

/** The claim of one entry: the existing one, or a new one; undefined without its template. */
const claimFor = ({ api }: ControlDeps, pod: PodObject, { name, templateName = '' }: DeviceClaimUse): DeviceClaim | undefined => {
  const { namespace } = pod.metadata;
  const made = api
    .list(deviceClaims, { namespace })
    .find(
      ({ metadata }) =>
        metadata.annotations?.[POD_CLAIM_NAME] === name && metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid) === true,
    );
  const template = api.get(deviceClaimTemplates, { namespace, name: templateName });
  if (made !== undefined || template === undefined) return made;
  const { labels, annotations } = (template.spec as { readonly metadata?: DeviceClaim['metadata'] }).metadata ?? {};
  const metadata = {
    ...{ namespace, generateName: `${pod.metadata.name ?? ''}-${name}-`, ...(labels && { labels }) },
    annotations: { ...annotations, [POD_CLAIM_NAME]: name },
    ownerReferences: [controllerOf(pod)],
  };
  return api.create<DeviceClaim>({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec: template.spec.spec });
};

/** Makes the claims that a pod lacks, and notes their names in its status. */
const makeClaims = (deps: ControlDeps, key: string): RequeueAfterMs => {
  const pod = deps.api.get(podKind, parseKey(key));
  if (pod === undefined || hasEnded(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const missing = deviceClaimsOf(pod).filter(({ claimName }) => claimName === undefined);
  const made = missing.flatMap((use) => {
    const resourceClaimName = claimFor(deps, pod, use)?.metadata.name;
    return resourceClaimName === undefined ? [] : [{ name: use.name, resourceClaimName }];
  });
  if (made.length > 0) {
    const resourceClaimStatuses = [...(pod.status?.resourceClaimStatuses ?? []), ...made];
    deps.api.updateStatus({ ...pod, status: { ...pod.status, resourceClaimStatuses } });
  }
  return made.length < missing.length ? RETRY_MS : undefined;
};

/** Whether the pod is there and has not run to its end. */
const isUsing = ({ api }: ControlDeps, namespace: string | undefined, { name, uid }: Pick<ClaimConsumer, 'name' | 'uid'>): boolean => {
  const pod = api.get(podKind, { namespace, name });
  return pod?.metadata.uid === uid && !hasEnded(pod);
};

/** Whether the claim was made for a pod that is gone. */
const isOver = (deps: ControlDeps, { metadata: { namespace, ownerReferences = [] } }: DeviceClaim): boolean => {
  const owner = ownerReferences.find(({ kind }) => kind === 'Pod');
  return owner !== undefined && !isUsing(deps, namespace, owner);
};

/** Lets a claim that nobody uses go, and takes its devices back first. */
const freeClaim = ({ api }: ControlDeps, claim: DeviceClaim): void => {
  const { deletionTimestamp, finalizers = [] } = claim.metadata;
  const { allocation, reservedFor = [] } = claim.status ?? {};
  if (reservedFor.length > 0 || (allocation !== undefined && deletionTimestamp !== undefined)) {
    api.updateStatus({ ...claim, status: {} });
    return;
  }
  if (allocation !== undefined || !finalizers.includes(ALLOCATED_FINALIZER)) return;
  const kept = finalizers.filter((each) => each !== ALLOCATED_FINALIZER);
  api.update({ ...claim, metadata: { ...claim.metadata, finalizers: kept } });
};

/** Frees what pods that are gone had reserved, and deletes claims that were made for them. */
const keepClaim = (deps: ControlDeps, key: string): undefined => {
  const { api } = deps;
  const claim = api.get(deviceClaims, parseKey(key));
  if (claim === undefined) return;
  const { namespace, deletionTimestamp } = claim.metadata;
  if (deletionTimestamp === undefined && isOver(deps, claim)) {
    api.delete(deviceClaims, objectKeyOf(claim));
    return;
  }
  const reservedFor = claim.status?.reservedFor ?? [];
  const users = reservedFor.filter((user) => user.resource !== 'pods' || isUsing(deps, namespace, user));
  if (users.length === 0) freeClaim(deps, claim);
  else if (users.length < reservedFor.length) api.updateStatus({ ...claim, status: { ...claim.status, reservedFor: users } });
};

/**
 * ResourceClaims, made of the templates that pods name. They are freed when the pods that they are reserved for are
 * gone, and deleted with the pods that they were made for. Source: kube-controller-manager, resource claim controller.
 */
export const startDeviceClaims: StartController = (deps) => {
  const makers = createWorkLoop(deps.clock, (key) => makeClaims(deps, key));
  const keepers = createWorkLoop(deps.clock, (key) => keepClaim(deps, key));
  const claimWatch = deps.api.watch(deviceClaims, ({ type, object }) => {
    if (type !== 'DELETED') keepers.add(objectKeyText(object));
  });
  const podWatch = deps.api.watch(podKind, ({ type, object }) => {
    const { resourceClaimName } = object.status?.extendedResourceClaimStatus ?? {};
    if (object.spec.resourceClaims === undefined && resourceClaimName === undefined) return;
    if (type !== 'DELETED' && !hasEnded(object)) makers.add(objectKeyText(object));
    else
      for (const claimName of [...deviceClaimsOf(object).map((use) => use.claimName), resourceClaimName])
        if (claimName !== undefined) keepers.add(`${object.metadata.namespace ?? ''}/${claimName}`);
  });
  return together(claimWatch, podWatch, makers, keepers);
};
