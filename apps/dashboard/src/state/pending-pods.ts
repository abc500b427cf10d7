import { podNameOf } from '@karpenter/cli/answers';
import { explain, type Pod, type Rejection } from '@karpenter/core';
import { compareText, getOrMake } from '@karpenter/core/internal';
import type { PendingGroup } from './dashboard-state.ts';

const NAMES_SHOWN = 20;
const GROUPS_SHOWN = 50;

const NOT_PLANNED = 'waits for the next plan';

/** The sentence without the name of the pod, so that pods with the same reason share it. */
const reasonText = (rejection: Rejection): string => explain(rejection).slice(`Pod ${podNameOf(rejection.pod)} `.length);

/** Why pending pods wait, as the last plans said. */
export class PendingPods {
  readonly #rejections = new Map<string, Rejection>();
  readonly #texts = new WeakMap<Rejection['reason'], string>();

  /** Takes in what a plan refused. */
  note(rejections: readonly Rejection[]): void {
    for (const rejection of rejections) this.#rejections.set(podNameOf(rejection.pod), rejection);
  }

  /** Pods that wait, grouped by reason, most pods first. Forgets the reasons of pods that wait no longer. */
  groups(pending: readonly Pod[]): readonly PendingGroup[] {
    const names = pending.map(podNameOf);
    const waiting = new Set(names);
    for (const name of this.#rejections.keys()) if (!waiting.has(name)) this.#rejections.delete(name);
    return [...Map.groupBy(names, (name) => this.#reasonOf(name))]
      .map(([reason, pods]) => ({ reason, count: pods.length, pods: pods.sort().slice(0, NAMES_SHOWN) }))
      .sort((a, b) => b.count - a.count || compareText(a.reason, b.reason))
      .slice(0, GROUPS_SHOWN);
  }

  #reasonOf(name: string): string {
    const rejection = this.#rejections.get(name);
    return rejection === undefined ? NOT_PLANNED : getOrMake(this.#texts, rejection.reason, () => reasonText(rejection));
  }
}
