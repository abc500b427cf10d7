import type { PodSpec } from '../../kube/index.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import { largestPart, workOfLarge } from './pod-work.ts';
import { MOST_OF_A_POD } from './work-budget.ts';

/** Reads specs. A spec that would cost too much is not read: its pods are refused, and count for no other pod. */
export const boundedShapes = (shapeOf: (spec: PodSpec) => PodShape): ((spec: PodSpec) => PodShape) => {
  const refused = new Map<PodSpec, PodShape>();
  const refuse = (spec: PodSpec, units: number): PodShape => {
    const problem = {
      field: 'spec',
      value: largestPart(spec),
      problem: `would take ${units} units of planning, at most ${MOST_OF_A_POD} are spent on a pod`,
    };
    const known = refused.get(spec) ?? {
      size: '',
      frame: '',
      requests: {},
      ladder: [],
      preferences: { kept: [], cutCount: 0 },
      preferred: [],
      problem,
    };
    refused.set(spec, known);
    return known;
  };
  return (spec) => {
    const units = workOfLarge(spec);
    return units > MOST_OF_A_POD ? refuse(spec, units) : shapeOf(spec);
  };
};
