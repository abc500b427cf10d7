import { unreachable } from '../base/index.ts';
import type { InstanceTypeFilterCount, PoolRejection, Rejection } from './rejection.ts';

const count = (amount: number): string => amount.toLocaleString('en-US');

/** Each check says how many types were left before it and how many passed: "612 of 1,293 fit the cpu; none of them in zone 2". */
const funnelText = (removedBy: readonly InstanceTypeFilterCount[], total: number): string => {
  let left = total;
  const parts = removedBy.map(({ check, detail, removed }, index) => {
    const before = left;
    left -= removed;
    const passed = left === 0 ? 'none' : count(left);
    const from = index === 0 ? `of ${count(before)} instance types` : 'of them';
    switch (check) {
      case 'requirements':
        return `${passed} ${from} meet ${detail}`;
      case 'resources':
        return `${passed} ${from} fit the ${detail}`;
      case 'offerings':
        return `${passed} ${from} are ${detail}`;
      case 'limits':
        return `${passed} ${from} are ${detail}`;
      default:
        return unreachable(check);
    }
  });
  return parts.length === 0 ? `none of ${count(total)} instance types will do` : parts.join('; ');
};

const poolText = ({ reason }: PoolRejection): string => {
  switch (reason.kind) {
    case 'taint':
      return `its taint ${reason.key}${reason.value === undefined ? '' : `=${reason.value}`}:${reason.effect} is not tolerated`;
    case 'requirement':
      return `the pod wants ${reason.wanted}, the pool offers ${reason.offered}`;
    case 'limit':
      return `its limit of ${count(reason.limit)} ${reason.resource} leaves no room (${count(reason.used)} in use)`;
    case 'topology':
      return `${reason.constraint} over ${reason.topologyKey} leaves no domain`;
    case 'min-values':
      return `${reason.key} needs ${reason.wanted} distinct values among the instance types, ${reason.found} are left`;
    case 'instance-types':
      return funnelText(reason.removedBy, reason.total);
    default:
      return unreachable(reason);
  }
};

/** The sentence that a person reads about a pod that found no place. */
export const explain = ({ pod, reason }: Rejection): string => {
  const name = `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`;
  switch (reason.kind) {
    case 'invalid-pod':
      return `Pod ${name} cannot be scheduled: ${reason.field} is "${reason.value}": ${reason.problem}`;
    case 'no-node-pools':
      return `Pod ${name} found no place: no NodePool is ready`;
    case 'stopped':
      return `Pod ${name} was not looked at: the time for this decision was over`;
    case 'no-place':
      return `Pod ${name} found no place: ${reason.pools.map((pool) => `NodePool ${pool.nodePoolName}: ${poolText(pool)}`).join('. ')}`;
    default:
      return unreachable(reason);
  }
};
