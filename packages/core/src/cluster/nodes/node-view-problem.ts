import type { FieldProblem } from '../../base/index.ts';
import { podSpecProblem } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { usageOfNode } from './node-usage.ts';
import type { NodeView } from './node-view.ts';

const wrong = (field: string, value: unknown, problem: string): FieldProblem => ({ field, value: String(value), problem });

const podProblem = (pods: readonly Pod[]): FieldProblem | undefined => {
  for (const { metadata, spec } of pods) {
    const problem = podSpecProblem(spec);
    if (problem !== undefined) return { ...problem, field: `pods[${metadata.namespace ?? 'default'}/${metadata.name}].${problem.field}` };
  }
  return undefined;
};

/** What the pods take is added up once for a node anyway; only if that fails, each pod is checked. */
const usageProblem = (node: NodeView): FieldProblem | undefined => {
  try {
    usageOfNode(node);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return podProblem(node.pods) ?? wrong('pods', node.pods, error.message);
  }
};

/** The first thing about a node by which nothing could be decided; undefined when it is sound. */
export const nodeViewProblem = (node: NodeView): FieldProblem | undefined => {
  const { name, labels, taints, allocatable, pods } = node;
  if (typeof name !== 'string' || name === '') return wrong('name', name, 'must name the node');
  if (typeof labels !== 'object') return wrong('labels', labels, 'must be an object of texts');
  if (!Array.isArray(taints)) return wrong('taints', taints, 'must be a list; it may be empty');
  if (typeof allocatable !== 'object') return wrong('allocatable', allocatable, 'must be an object of numbers');
  if (!Array.isArray(pods)) return wrong('pods', pods, 'must be a list; it may be empty');
  for (const [resource, amount] of Object.entries(allocatable)) {
    if (!Number.isFinite(amount))
      return wrong(`allocatable.${resource}`, amount, 'must be a number, as resourcesOf makes it of quantities');
  }
  return usageProblem(node);
};
