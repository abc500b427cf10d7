import type { DaemonSet, PodSpec, Taint } from '@karpenter/core';
import type { Amounts } from './amounts.ts';
import { plus, reservedBy } from './amounts.ts';
import { meetsNodeLabels } from './node-labels.ts';
import type { Labels } from './node-labels.ts';
import { bearsTaints } from './taints.ts';

/** The daemon pods that will come to a node with these labels and taints. */
export const daemonPodsOn = (daemonSets: readonly DaemonSet[], labels: Labels, taints: readonly Taint[]): readonly PodSpec[] =>
  daemonSets.map(({ spec }) => spec.template.spec).filter((spec) => bearsTaints(taints, spec.tolerations) && meetsNodeLabels(spec, labels));

/** What they will take of it. */
export const daemonsOn = (daemonSets: readonly DaemonSet[], labels: Labels, taints: readonly Taint[]): Amounts =>
  daemonPodsOn(daemonSets, labels, taints).map(reservedBy).reduce(plus, new Map<string, number>());
