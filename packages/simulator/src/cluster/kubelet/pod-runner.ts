import { type Clock, kubeTime, type TimerHandle, parseKey } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { hasEnded, isBeingDeleted, isReady, podKind, type PodObject } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';
import type { KubeletDelays } from './kubelet-delays.ts';
import { endedStatus, runningStatus } from './pod-status.ts';
import { volumesAttached } from './volumes-attached.ts';

/**
 * Writing a pod's end and its length into its annotations: how long it runs before it succeeds, how long it takes to
 * stop. Whole seconds.
 */
export const podAnnotations = {
  runSeconds: 'simulator.karpenter.sh/run-seconds',
  stopSeconds: 'simulator.karpenter.sh/stop-seconds',
} as const;

/** How often a kubelet checks whether the volumes of a pod are attached. */
const MOUNT_POLL_MS = 1_000;

/** What one kubelet does with the pods that are bound to its node. */
export interface PodRunner {
  /** Takes note of a pod's new state. */
  see(pod: PodObject): void;
  forget(key: string): void;
  /** The machine is off: nothing more happens to its pods here. */
  stop(): void;
}

export interface PodRunnerOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly delays: KubeletDelays;
  readonly hostIp: string;
  readonly nextPodIp: () => string;
}

type Step = 'start' | 'succeed' | 'stop';

interface NextStep {
  readonly step: Step;
  readonly afterMs: number;
}

const secondsOf = (pod: PodObject, annotation: string): number | undefined => {
  const text = pod.metadata.annotations?.[annotation];
  return text === undefined ? undefined : Number(text);
};

/** Undefined for a pod that runs until it is deleted. */
const runMsOf = (pod: PodObject, { jobRunMs }: KubeletDelays): number | undefined => {
  const seconds = secondsOf(pod, podAnnotations.runSeconds);
  if (seconds !== undefined) return seconds * 1000;
  return pod.metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller === true) ? jobRunMs : undefined;
};

class Runner implements PodRunner {
  readonly #options: PodRunnerOptions;
  readonly #steps = new Map<string, { readonly step: Step; readonly timer: TimerHandle }>();

  constructor(options: PodRunnerOptions) {
    this.#options = options;
  }

  see(pod: PodObject): void {
    const next = this.#nextStep(pod);
    const key = objectKeyText(pod);
    if (next === undefined) {
      this.forget(key);
      return;
    }
    const waiting = this.#steps.get(key);
    if (waiting?.step === next.step) return;
    waiting?.timer.cancel();
    this.#after(key, next);
  }

  forget(key: string): void {
    this.#steps.get(key)?.timer.cancel();
    this.#steps.delete(key);
  }

  stop(): void {
    for (const { timer } of this.#steps.values()) timer.cancel();
    this.#steps.clear();
  }

  #after(key: string, { step, afterMs }: NextStep): void {
    const fire = (): void => {
      this.#steps.delete(key);
      this.#take(key, step);
    };
    this.#steps.set(key, { step, timer: this.#options.clock.setTimeout(fire, afterMs) });
  }

  #nextStep(pod: PodObject): NextStep | undefined {
    const { delays } = this.#options;
    if (isBeingDeleted(pod)) {
      const stopMs = (secondsOf(pod, podAnnotations.stopSeconds) ?? delays.podStopMs / 1000) * 1000;
      return { step: 'stop', afterMs: Math.min(stopMs, (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000) };
    }
    if (hasEnded(pod)) return undefined;
    if (pod.status?.phase !== 'Running') return { step: 'start', afterMs: delays.podStartMs };
    // Its readiness was taken away while the node was silent; the containers never stopped.
    if (!isReady(pod)) return { step: 'start', afterMs: 0 };
    const runMs = runMsOf(pod, delays);
    return runMs === undefined ? undefined : { step: 'succeed', afterMs: runMs };
  }

  /** The pod may have changed or gone meanwhile: what is done depends on what it is now. */
  #take(key: string, step: Step): void {
    const { api, clock, hostIp } = this.#options;
    const pod = api.get(podKind, parseKey(key));
    if (pod === undefined) return;
    const now = kubeTime(clock.now());
    if (step === 'stop') api.delete(podKind, parseKey(key), { gracePeriodSeconds: 0 });
    else if (step === 'succeed') api.updateStatus({ ...pod, status: endedStatus(pod, 'Succeeded', now) });
    else if (!volumesAttached(api, pod)) this.#after(key, { step, afterMs: MOUNT_POLL_MS });
    else {
      const podIp = pod.spec.hostNetwork === true ? hostIp : this.#options.nextPodIp();
      api.updateStatus({ ...pod, status: runningStatus(pod, { now, hostIp, podIp }) });
    }
  }
}

export const createPodRunner = (options: PodRunnerOptions): PodRunner => new Runner(options);
