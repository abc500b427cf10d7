/**
 * Why kube-scheduler left a pod of a sound plan pending. `room`: it put other pods where this one was meant to go, which hold its resources or
 * ports. `company`: so, and what is in the way is whom the pod, or another one, will not have in its domain. `rules`: every node refuses the
 * pod for what never changes, its labels or taints: then the plan and the binder read the rules differently.
 */
export type WhyPending = 'room' | 'company' | 'rules';

const ROOM = /Insufficient |Too many pods|free ports/;
const COMPANY = /pod topology spread constraints(?! \(missing)|pod affinity rules|anti-affinity rules/;

/** Reads it off what kube-scheduler says about the pod. */
export const whyPending = (message: string): WhyPending => {
  if (ROOM.test(message)) return 'room';
  return COMPANY.test(message) ? 'company' : 'rules';
};
