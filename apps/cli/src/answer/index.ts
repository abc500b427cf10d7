/**
 * `@karpenter/cli/answers`: what the command line answers about a snapshot, for others that ask the same. Pure, but for
 * the reading of YAML.
 */
export { appliedObject } from '../read/overlay-reader.ts';
export { readManifests } from '../read/manifests.ts';
export { CommandError } from '../exit-code.ts';
export { answeringDiff, type DiffAnswer } from './diff-answer.ts';
export { type Fill, nodeRow, type NodeRow, type NodeRowState, priceOfNode } from './node-rows.ts';
export { answeringPlan, narrowSnapshot, type PlanAnswer } from './plan-answer.ts';
export { podNameOf, relaxedGroupOf, unplacedOf } from './plan-summary.ts';
