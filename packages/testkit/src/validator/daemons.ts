import type { DaemonSet, Taint } from '@karpenter/core';
import type { Amounts } from './amounts.ts';
import { plus, reservedBy } from './amounts.ts';
import { meetsNodeLabels } from './node-labels.ts';
import type { Labels } from './node-labels.ts';
import { bearsTaints } from './taints.ts';

/** What daemon pods will take of a node with these labels and taints. */
export const daemonsOn = (daemonSets: readonly DaemonSet[], labels: Labels, taints: readonly Taint[]): Amounts =>
  daemonSets
    .map(({ spec }) => spec.template.spec)
    .filter((spec) => bearsTaints(taints, spec.tolerations) && meetsNodeLabels(spec, labels))
    .map(reservedBy)
    .reduce(plus, new Map<string, number>());
