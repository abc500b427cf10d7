import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedCluster } from '@karpenter/simulator';
import { parse } from 'yaml';
import { charts } from './helm.ts';

const { azure } = parse(readFileSync(join(charts.controller, 'values.yaml'), 'utf8')) as { readonly azure: object };

/** The chart's name for a variable, if it has one: CLUSTER_NAME → clusterName. */
const keyOf = (variable: string): string => variable.toLowerCase().replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());

/**
 * What a user of the chart would write for an embedded cluster: what has a value of its own there, and the rest as more
 * environment.
 */
export const valuesOfCluster = (cluster: EmbeddedCluster) => {
  const { KUBELET_BOOTSTRAP_TOKEN: value = '', KUBECONFIG: _kubeconfig, ...variables } = cluster.environment();
  const known = Object.entries(variables).filter(([variable]) => keyOf(variable) in azure);
  const extraEnv = Object.entries(variables)
    .filter(([variable]) => !(keyOf(variable) in azure))
    .map(([name, text]) => ({ name, value: text }));
  return {
    azure: Object.fromEntries(known.map(([variable, text]) => [keyOf(variable), text])),
    kubeletBootstrapToken: { value },
    extraEnv,
  };
};
