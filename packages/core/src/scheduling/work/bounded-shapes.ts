import type { PodSpec } from '../../kube/index.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import { largestPart, workOfLarge } from './pod-work.ts';
import { MOST_OF_A_POD } from './work-budget.ts';

const refusedShape = (spec: PodSpec, units: number): PodShape => ({
  size: '',
  frame: '',
  requests: {},
  ladder: [],
  preferences: { kept: [], cutCount: 0 },
  preferred: [],
  problem: {
    field: 'spec',
    value: largestPart(spec),
    problem: `would take ${units} units of planning, at most ${MOST_OF_A_POD} are spent on a pod`,
  },
});

/**
 * Reads specs, each once for a solve: budget, slots, topology and classes all ask for the same. A spec that would cost
 * too much is not read: its pods are refused, and count for no other pod.
 */
export const boundedShapes = (shapeOf: (spec: PodSpec) => PodShape): ((spec: PodSpec) => PodShape) => {
  const known = new Map<PodSpec, PodShape>();
  return (spec) => {
    const found = known.get(spec);
    if (found !== undefined) return found;
    const units = workOfLarge(spec);
    const shape = units > MOST_OF_A_POD ? refusedShape(spec, units) : shapeOf(spec);
    known.set(spec, shape);
    return shape;
  };
};
