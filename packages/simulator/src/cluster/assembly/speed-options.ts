import { type ArmLatencies, DEFAULT_LATENCIES } from '@karpenter/azure-emulator';
import { DEFAULT_KUBELET_DELAYS, type KubeletDelays } from '../kubelet/kubelet-delays.ts';

const dividedBy = <T extends object>(times: T, speed: number): T =>
  Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Number(ms) / speed])) as T;

/**
 * Options of a cluster whose machines boot and whose Azure answers so many times as fast. Only waiting is shortened:
 * the clock stays what it is, so that ages are true and a controller in another process needs no other clock.
 */
export const speedOptions = (speed: number): { readonly delays: KubeletDelays; readonly azure: { readonly latencies: ArmLatencies } } => ({
  delays: dividedBy(DEFAULT_KUBELET_DELAYS, speed),
  azure: { latencies: dividedBy(DEFAULT_LATENCIES, speed) },
});
