import type { FieldProblem } from '../base/index.ts';
import { parseQuantity } from '../kube/index.ts';
import { durationProblems, labelKeyProblems, labelValueProblems } from './field-problems.ts';
import type { LabelCatalog } from './label-catalog.ts';
import { labels as names } from './names.ts';
import { machineProblems, MOST_CLAIM_REQUIREMENTS } from './node-claim.ts';
import { disruptionOf, nodeClassLabel } from './node-pool.ts';
import type { NodePool, NodePoolSpec } from './node-pool.ts';

const quantityProblems = ({ limits = {}, minimum = {} }: NodePoolSpec): readonly FieldProblem[] =>
  Object.entries({ limits, minimum }).flatMap(([field, amounts]) =>
    Object.entries(amounts)
      .filter(([, value]) => parseQuantity(String(value)) === undefined)
      .map(([name, value]) => ({
        field: `spec.${field}.${name}`,
        value: String(value),
        problem: 'must be a quantity such as 100, 1500m or 64Gi',
      })),
  );

/** More nodes than any cluster has: a slip, which would be paid for. */
const MOST_REPLICAS = 100_000;

const replicaProblems = (replicas: number): readonly FieldProblem[] =>
  replicas <= MOST_REPLICAS ? [] : [{ field: 'spec.replicas', value: String(replicas), problem: `must be at most ${MOST_REPLICAS}` }];

const staticProblems = ({ replicas, limits = {}, weight, minimum }: NodePoolSpec): readonly FieldProblem[] => {
  if (replicas === undefined) return [];
  const others = Object.keys(limits).filter((name) => name !== 'nodes');
  return [
    ...replicaProblems(replicas),
    ...others.map((name) => ({ field: `spec.limits.${name}`, value: name, problem: 'a pool with replicas may be limited by nodes only' })),
    ...(weight === undefined ? [] : [{ field: 'spec.weight', value: String(weight), problem: 'a pool with replicas has no weight' }]),
    ...(minimum === undefined
      ? []
      : [{ field: 'spec.minimum', value: Object.keys(minimum).join(', '), problem: 'a pool with replicas keeps exactly as many nodes' }]),
  ];
};

/** Beyond so many values, a plan would read the requirements of this pool for seconds. */
const MOST_VALUES = 50_000;

/** How many values the requirements of a pool have together, judged because each plan reads them. */
const complexityProblems = ({ template }: NodePoolSpec): readonly FieldProblem[] => {
  const values = template.spec.requirements.reduce((sum, { values: listed = [] }) => sum + listed.length, 0);
  return values <= MOST_VALUES
    ? []
    : [{ field: 'spec.template.spec.requirements', value: `${values} values`, problem: `must have at most ${MOST_VALUES} values in all` }];
};

/** The API server takes 256 KiB of annotations; Karpenter adds some of its own, such as the uids of the planned pods. */
const MOST_ANNOTATION_CHARACTERS = 240 * 1024;

/** What the API server would refuse in each NodeClaim of the pool, though it accepted the pool. */
const claimProblems = ({ metadata: { name }, spec: { template } }: NodePool): readonly FieldProblem[] => {
  const { labels = {}, annotations = {} } = template.metadata ?? {};
  const { requirements, nodeClassRef } = template.spec;
  const [classKey, className] = nodeClassLabel(nodeClassRef);
  const own = [names.nodePool, names.instanceType, names.capacityType, classKey];
  const { size } = new Set([...requirements.map(({ key }) => key), ...Object.keys(labels), ...own]);
  const characters = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const problem = `must be at most ${MOST_CLAIM_REQUIREMENTS}, those that Karpenter adds included: a NodeClaim has no room for more`;
  const tooLong = `must have at most ${MOST_ANNOTATION_CHARACTERS} characters together: a NodeClaim has no room for more`;
  return [
    ...(size > MOST_CLAIM_REQUIREMENTS ? [{ field: 'spec.template', value: `${size} keys in requirements and labels`, problem }] : []),
    ...(characters > MOST_ANNOTATION_CHARACTERS
      ? [{ field: 'spec.template.metadata.annotations', value: `${characters} characters`, problem: tooLong }]
      : []),
    ...labelValueProblems('metadata.name', name),
    ...labelValueProblems('spec.template.spec.nodeClassRef.name', className),
  ];
};

const weightProblems = (weight: number | undefined): readonly FieldProblem[] =>
  weight === undefined || (Number.isInteger(weight) && weight >= 1 && weight <= 100)
    ? []
    : [{ field: 'spec.weight', value: String(weight), problem: 'must be an integer from 1 to 100' }];

/**
 * Everything that is wrong with a NodePool, as far as it can be seen in the pool itself and the provider's labels;
 * empty when it is sound. The API server has checked most of it; what it cannot know are the labels of the provider.
 * Budgets are no part of it: `budgetProblemsOf`.
 */
export const nodePoolProblems = (nodePool: NodePool, catalog: LabelCatalog): readonly FieldProblem[] => {
  const { template, weight } = nodePool.spec;
  const options = { catalog, forNodePool: true };
  const labels = Object.entries(template.metadata?.labels ?? {});
  const { consolidateAfter } = disruptionOf(nodePool);
  const tooComplex = complexityProblems(nodePool.spec);
  if (tooComplex.length > 0) return tooComplex;
  return [
    ...labels.flatMap(([key, value]) => [
      ...labelKeyProblems('spec.template.metadata.labels', key, options),
      ...labelValueProblems(`spec.template.metadata.labels[${key}]`, value),
    ]),
    ...machineProblems('spec.template.spec', template.spec, options),
    ...claimProblems(nodePool),
    ...durationProblems('spec.disruption.consolidateAfter', consolidateAfter, 'or Never'),
    ...quantityProblems(nodePool.spec),
    ...weightProblems(weight),
    ...staticProblems(nodePool.spec),
  ];
};
