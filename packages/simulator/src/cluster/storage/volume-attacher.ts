import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { type ControlDeps, type StartController, together } from '../control/control-deps.ts';
import type { EventWriter } from '../control/event-writer.ts';
import { createEventWriter } from '../control/event-writer.ts';
import type { ClusterPodIndex } from '../control/pod-index.ts';
import type { RequeueAfterMs, WorkLoop } from '../control/work-loop.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { conditionIn } from '../objects/conditions.ts';
import { nodes } from '../objects/node.ts';
import { claimNamesOf, hasEnded, podKind, type PodObject } from '../objects/pod.ts';
import type { PersistentVolumeObject, VolumeAttachmentObject } from '../objects/volume.ts';
import { volumeAttachments, volumeClaims, volumes } from '../objects/volume.ts';
import { type AttachmentIndex, attachmentName, createAttachmentIndex, isAttachable } from './attachment-index.ts';

const ATTACH_MS = 2_000;
const DETACH_MS = 2_000;
/** From a node that cannot say that it has unmounted a volume, it is torn off after so long. */
const FORCE_DETACH_MS = 360_000;

type Csi = NonNullable<PersistentVolumeObject['spec']['csi']>;

const MANY_NODES = new Set(['ReadWriteMany', 'ReadOnlyMany']);

const mayBeOnMany = ({ spec }: PersistentVolumeObject): boolean => (spec.accessModes ?? []).some((mode) => MANY_NODES.has(mode));

const earlier = (a: RequeueAfterMs, b: RequeueAfterMs): RequeueAfterMs => (a === undefined || (b !== undefined && b < a) ? b : a);

class Attacher implements Disposable {
  readonly #api: LocalApi;
  readonly #clock: Clock;
  readonly #pods: ClusterPodIndex;
  readonly #record: EventWriter;
  readonly #loop: WorkLoop;
  readonly #attachments: AttachmentIndex;
  readonly #watches: Disposable;
  /** Names of the attachments that were made here → since when nobody needs them; undefined while somebody does. */
  readonly #own = new Map<string, number | undefined>();

  constructor({ api, clock, pods }: ControlDeps) {
    this.#api = api;
    this.#clock = clock;
    this.#pods = pods;
    this.#record = createEventWriter(api, clock, 'attachdetach-controller');
    this.#loop = createWorkLoop(clock, (volumeName) => this.#reconcile(volumeName));
    this.#attachments = createAttachmentIndex(api, (volumeName) => this.#loop.add(volumeName));
    this.#watches = together(
      api.watch(podKind, ({ object }) => this.#podChanged(object)),
      api.watch(volumeClaims, ({ object }) => this.#loop.add(object.spec.volumeName ?? '')),
    );
  }

  [Symbol.dispose](): void {
    together(this.#watches, this.#attachments, this.#loop)[Symbol.dispose]();
  }

  #podChanged(pod: PodObject): void {
    if (pod.spec.nodeName === undefined) return;
    for (const name of claimNamesOf(pod)) {
      const claim = this.#api.get(volumeClaims, { namespace: pod.metadata.namespace, name });
      this.#loop.add(claim?.spec.volumeName ?? '');
    }
  }

  #reconcile(volumeName: string): RequeueAfterMs {
    const volume = volumeName === '' ? undefined : this.#api.get(volumes, { name: volumeName });
    const users = volume === undefined ? new Map<string, PodObject>() : this.#usersOf(volume);
    let again: RequeueAfterMs;
    for (const attachment of this.#attachments.ofVolume(volumeName)) {
      if (this.#own.has(attachment.metadata.name ?? '')) again = earlier(again, this.#keep(attachment, users));
    }
    if (volume?.spec.csi !== undefined && isAttachable(this.#api, volume.spec.csi.driver)) {
      for (const [nodeName, pod] of users) this.#attach(volume, volume.spec.csi, { nodeName, pod });
    }
    return again;
  }

  /** Node name → a pod there that needs the volume. */
  #usersOf({ spec: { claimRef } }: PersistentVolumeObject): ReadonlyMap<string, PodObject> {
    const users = this.#pods.usingClaim(`${claimRef?.namespace ?? ''}/${claimRef?.name ?? ''}`);
    return new Map(users.flatMap((pod) => (hasEnded(pod) || pod.spec.nodeName === undefined ? [] : [[pod.spec.nodeName, pod]])));
  }

  #attach(volume: PersistentVolumeObject, csi: Csi, { nodeName, pod }: { nodeName: string; pod: PodObject }): void {
    const there = this.#attachments.ofVolume(volume.metadata.name ?? '');
    if (there.some(({ spec }) => spec.nodeName === nodeName)) return;
    if (there.length > 0 && !mayBeOnMany(volume)) {
      const message = `Multi-Attach error for volume "${volume.metadata.name ?? ''}" Volume is already exclusively attached to one node and can't be attached to another`;
      this.#record(pod, { type: 'Warning', reason: 'FailedAttachVolume', message });
      return;
    }
    const name = attachmentName(csi, nodeName);
    this.#own.set(name, undefined);
    const source = { persistentVolumeName: volume.metadata.name ?? '' };
    this.#api.create<VolumeAttachmentObject>({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name } },
      spec: { attacher: csi.driver, nodeName, source },
    });
    this.#clock.setTimeout(() => this.#reportAttached(name), ATTACH_MS);
  }

  #reportAttached(name: string): void {
    const attachment = this.#api.get(volumeAttachments, { name });
    if (attachment !== undefined) this.#api.updateStatus({ ...attachment, status: { attached: true } });
  }

  /** Detaches what no pod needs any more, once its node has had time to unmount it. */
  #keep({ metadata: { name = '' }, spec }: VolumeAttachmentObject, users: ReadonlyMap<string, PodObject>): RequeueAfterMs {
    if (users.has(spec.nodeName)) {
      this.#own.set(name, undefined);
      return undefined;
    }
    const now = this.#clock.now();
    const sinceMs = this.#own.get(name) ?? now;
    const leftMs = sinceMs + (this.#isHealthy(spec.nodeName) ? DETACH_MS : FORCE_DETACH_MS) - now;
    if (leftMs > 0) {
      this.#own.set(name, sinceMs);
      return Math.min(leftMs, DETACH_MS);
    }
    this.#own.delete(name);
    this.#api.delete(volumeAttachments, { name });
    return undefined;
  }

  #isHealthy(nodeName: string): boolean {
    const node = this.#api.get(nodes, { name: nodeName });
    return conditionIn(node?.status?.conditions, 'Ready')?.status === 'True';
  }
}

/**
 * Attaches volumes of CSI drivers to the nodes of the pods that use them, and detaches them when those have ended. A
 * volume for one node is not attached to a second one before the first has let go. Attachments that others made are
 * left alone. Source: kube-controller-manager's attach-detach controller and external-attacher.
 */
export const startVolumeAttacher: StartController = (deps) => new Attacher(deps);
