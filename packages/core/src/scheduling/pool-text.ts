import { unreachable } from '../base/index.ts';
import type { LaunchBlock } from '../cluster/index.ts';
import { amountText } from './hint-text.ts';
import type { InstanceTypeFilterCount, PoolRejection } from './rejection.ts';

type Reason = PoolRejection['reason'];

const count = (amount: number): string => amount.toLocaleString('en-US');

const meets: Readonly<Record<InstanceTypeFilterCount['check'], (detail: string) => string>> = {
  requirements: (detail) => `meet ${detail}`,
  resources: (detail) => `fit the ${detail}`,
  daemons: (detail) => `fit the ${detail} beside the pods of DaemonSets`,
  offerings: (detail) => `are ${detail}`,
  limits: (detail) => `are ${detail}`,
};

/** Each check says how many types were left before it and how many passed: `612 of 1,293 instance types fit the cpu`, `none of them …`. */
const funnelTexts = (removedBy: readonly InstanceTypeFilterCount[], total: number): readonly string[] => {
  if (total === 0) return ['its provider offers no instance type'];
  if (removedBy.length === 0) return [`none of ${count(total)} instance types will do`];
  let left = total;
  return removedBy.map(({ check, detail, removed }, index) => {
    const before = left;
    left -= removed;
    const from = index === 0 ? `of ${count(before)} instance ${before === 1 ? 'type' : 'types'}` : 'of them';
    return `${left === 0 ? 'none' : count(left)} ${from} ${meets[check](detail)}`;
  });
};

const limitText = ({ resource, limit, used, least }: Extract<Reason, { readonly kind: 'limit' }>): string => {
  if (resource === 'nodes') return `its limit of ${count(limit)} nodes is reached`;
  const [of, left, need] = [limit, Math.max(0, limit - used), least].map((amount) => amountText(resource, amount));
  return `its ${resource} limit leaves ${left} of ${of}, and the smallest instance type that would do has ${need}`;
};

const closedTexts: Readonly<Record<LaunchBlock, string>> = {
  'not-ready': 'it is not ready',
  'nothing-offered': 'its provider offers no instance type',
  'launches-failing': 'it pauses, because what it launched came to nothing again and again',
};

/** Why a pool could not help, as people read it: one text for each step that led there. */
export const poolTexts = (reason: Reason): readonly string[] => {
  switch (reason.kind) {
    case 'closed':
      return [closedTexts[reason.by]];
    case 'taint':
      return [`its taint ${reason.key}${reason.value === undefined ? '' : `=${reason.value}`}:${reason.effect} is not tolerated`];
    case 'requirement':
      return [`the pod wants ${reason.wanted}, the pool offers ${reason.offered}`];
    case 'limit':
      return [limitText(reason)];
    case 'topology':
      return [`${reason.constraint} over ${reason.topologyKey} leaves no domain that its nodes could be in`];
    case 'min-values':
      return [`its minValues want ${reason.wanted} values of ${reason.key} among the instance types, ${reason.found} are left`];
    case 'instance-types':
      return funnelTexts(reason.removedBy, reason.total);
    default:
      return unreachable(reason);
  }
};
