import type { NodeClaim, Taint } from '@karpenter/core';
import { isLabelKey, isLabelValue } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, nodeSettingsSchema, schemaProblems, type ValueProblem } from '../apis/index.ts';
import { type BootstrapSource, bootstrapVariables } from './bootstrap-variables.ts';
import { nodeTaintsOf } from './node-taints.ts';

/** What authors of classes, pools and claims write onto a node, in each provision mode. */
export interface NodeValues {
  readonly nodeClass: Pick<AKSNodeClass, 'spec'>;
  readonly claim: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>;
  readonly labels: Readonly<Record<string, string>>;
}

const A_KEY = 'must be a label key';
const A_VALUE = 'must be a label value: empty, or at most 63 letters, digits, "-", "_" or ".", from a letter or digit to a letter or digit';
const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const pairProblems = (field: string, key: string, value: string): readonly ValueProblem[] => [
  ...(isLabelKey(key) ? [] : [{ field: `${field} key`, value: key, problem: A_KEY }]),
  ...(isLabelValue(value) ? [] : [{ field: `${field} ${key}`, value, problem: A_VALUE }]),
];

const labelProblems = (labels: Readonly<Record<string, string>>): readonly ValueProblem[] =>
  Object.entries(labels).flatMap(([key, value]) => pairProblems('label', key, value));

const taintProblems = ({ key, value = '', effect }: Taint): readonly ValueProblem[] => [
  ...pairProblems('taint', key, value),
  ...(EFFECTS.includes(effect)
    ? []
    : [{ field: `effect of taint ${key}`, value: effect, problem: `must be one of ${EFFECTS.join(', ')}` }]),
];

/**
 * Values that a node would take for more than text: a flag, a label, a taint or a setting beside the one they are written
 * into. The API server refuses them under the present definitions.
 */
export const nodeValueProblems = ({ nodeClass, claim, labels }: NodeValues): readonly ValueProblem[] => [
  ...schemaProblems(nodeSettingsSchema, nodeClass.spec, 'spec'),
  ...nodeTaintsOf(claim).flatMap(taintProblems),
  ...labelProblems(labels),
];

/** What separates words and lines on a node, what a shell or systemd expands, and how they quote. */
const MORE_THAN_TEXT = /[\p{C}\p{Z}$`"'\\]/u;
const FLAG = /^--[a-z0-9-]+=/;
/** Put together from other variables, quoted for the shell that evaluates it. */
const EVALUATED = 'PROXY_VARS';
/** Its words are flags. */
const FLAGS = 'KUBELET_FLAGS';

const isText = (value: string): boolean => !MORE_THAN_TEXT.test(value);

/**
 * The same for the variables of a bootstrap script: the scripts of the image write them into files that systemd splits at
 * white space and line ends. Source: AgentBaker, `cse_config.sh`.
 */
export const bootstrapProblems = (source: BootstrapSource): readonly ValueProblem[] => {
  const flags = source.kubeletFlags.filter((flag) => !FLAG.test(flag) || !isText(flag));
  const variables = Object.entries(bootstrapVariables(source)).filter(
    ([name, value]) => name !== EVALUATED && name !== FLAGS && !isText(value),
  );
  return [
    ...flags.map((value) => ({ field: FLAGS, value, problem: 'must be --name=value without white space, quotes and "$"' })),
    ...variables.map(([field, value]) => ({ field, value, problem: 'must have no white space, quotes and "$"' })),
    ...labelProblems(source.labels),
  ];
};
