import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { objectKeyText } from '../objects/object-key.ts';
import { podKind } from '../objects/pod.ts';
import { createHeartbeatWheel } from './heartbeat-wheel.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { DEFAULT_KUBELET_VERSION, type KubeletNode } from './kubelet-node.ts';
import { DEFAULT_HEARTBEAT_MS, DEFAULT_KUBELET_DELAYS, type KubeletDelays } from './kubelet-delays.ts';

/** Addresses of the pod network, 10.244.0.0/16 upwards, never twice. */
export const podIps = (): (() => string) => {
  let last = 1;
  return () => {
    last += 1;
    return `10.${244 + ((last >> 16) % 12)}.${(last >> 8) & 255}.${last & 255}`;
  };
};

/** Runs the kubelets of a cluster over one pod watch and one heartbeat wheel. */
export interface KubeletHost extends Disposable {
  /** Boots a machine's kubelet; disposing it is pulling the plug. */
  start(machine: KubeletNode): Disposable;
}

export interface KubeletHostOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly delays?: Partial<KubeletDelays> | undefined;
  /** Default 10,000, as kubelets have it; longer where the clock runs fast. */
  readonly heartbeatMs?: number | undefined;
  /** With `v`. */
  readonly kubeletVersion?: string | undefined;
}

export const createKubeletHost = ({ api, clock, delays, heartbeatMs, kubeletVersion }: KubeletHostOptions): KubeletHost => {
  const kubelets = new Map<string, Kubelet>();
  const wheel = createHeartbeatWheel(clock, heartbeatMs ?? DEFAULT_HEARTBEAT_MS);
  const nextPodIp = podIps();
  const watch = api.watch(podKind, ({ type, object }) => {
    const kubelet = kubelets.get(object.spec.nodeName ?? '');
    if (kubelet === undefined) return;
    if (type === 'DELETED') kubelet.forget(objectKeyText(object));
    else kubelet.see(object);
  });

  const start = (machine: KubeletNode): Disposable => {
    const kubelet = startKubelet({
      ...{ api, clock, machine, nextPodIp },
      delays: { ...DEFAULT_KUBELET_DELAYS, ...delays },
      kubeletVersion: kubeletVersion ?? DEFAULT_KUBELET_VERSION,
    });
    kubelets.set(machine.name, kubelet);
    const seat = wheel.join(() => kubelet.beat());
    for (const pod of api.list(podKind, { fieldSelector: `spec.nodeName=${machine.name}` })) kubelet.see(pod);
    const stop = (): void => {
      seat[Symbol.dispose]();
      kubelet[Symbol.dispose]();
      if (kubelets.get(machine.name) === kubelet) kubelets.delete(machine.name);
    };
    return { [Symbol.dispose]: stop };
  };

  const stopAll = (): void => {
    watch[Symbol.dispose]();
    wheel[Symbol.dispose]();
    for (const kubelet of kubelets.values()) kubelet[Symbol.dispose]();
    kubelets.clear();
  };
  return { start, [Symbol.dispose]: stopAll };
};
