import type { Requirement, Requirements } from '@karpenter/core';

const MOST = 63;

/** The node resource group as the label `kubernetes.azure.com/cluster` has it: AKS's own spelling. */
export const clusterLabelOf = (nodeResourceGroup: string): string => {
  const cut = nodeResourceGroup.replace(/[()]/g, '-').slice(0, MOST);
  if (!/[-_.]$/.test(cut)) return cut;
  return cut.length === MOST ? `${cut.slice(0, -1)}z` : `${cut}z`;
};

/** "One of these values"; of no value: "the label is absent". */
export const oneOfValues = (key: string, values: Iterable<string>): Requirement => {
  const set = new Set(values);
  return { key, values: { kind: 'in', values: set }, mayBeAbsent: set.size === 0 };
};

/** The labels that have one possible value. */
export const singleValues = (requirements: Requirements): Readonly<Record<string, string>> => {
  const single: Record<string, string> = {};
  for (const { key, values, mayBeAbsent } of requirements.values()) {
    const [value, ...others] = values.kind === 'in' ? values.values : [];
    if (value !== undefined && others.length === 0 && !mayBeAbsent) single[key] = value;
  }
  return single;
};
