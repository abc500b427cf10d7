import { shapeProblem } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import type { Container, PodSpec, ResourceRequirements } from '../pods/pod.ts';
import { affinityProblem } from './affinity-problem.ts';
import { firstProblem } from './first-problem.ts';
import { podContainersShape, podFrameShape } from './pod-spec-shape.ts';
import { quantityProblem } from './quantity-problem.ts';
import { spreadProblem } from './spread-problem.ts';
import { tolerationProblem } from './toleration-problem.ts';

const resourcesProblem = (field: string, { requests, limits }: ResourceRequirements = {}): FieldProblem | undefined =>
  quantityProblem(`${field}.requests`, requests) ?? quantityProblem(`${field}.limits`, limits);

const containersProblem = (field: string, containers: readonly Container[] = []): FieldProblem | undefined =>
  firstProblem(
    containers.map(
      ({ resources }, i) =>
        () =>
          resourcesProblem(`${field}[${i}].resources`, resources),
    ),
  );

/** What is wrong with the containers of a pod's spec, as far as scheduling reads them; undefined when they are sound. */
export const podContainersProblem = (spec: PodSpec): FieldProblem | undefined =>
  shapeProblem(podContainersShape, spec, 'spec') ??
  containersProblem('spec.containers', spec.containers) ??
  containersProblem('spec.initContainers', spec.initContainers);

const frameContentProblem = (spec: PodSpec): FieldProblem | undefined =>
  firstProblem([
    () => resourcesProblem('spec.resources', spec.resources),
    () => quantityProblem('spec.overhead', spec.overhead),
    () => affinityProblem('spec.affinity', spec.affinity),
    ...(spec.tolerations ?? []).map((toleration, i) => () => tolerationProblem(`spec.tolerations[${i}]`, toleration)),
    ...(spec.topologySpreadConstraints ?? []).map(
      (constraint, i) => () => spreadProblem(`spec.topologySpreadConstraints[${i}]`, constraint),
    ),
  ]);

/** The same of what is said outside of the containers. */
export const podFrameProblem = (spec: PodSpec): FieldProblem | undefined =>
  shapeProblem(podFrameShape, spec, 'spec') ?? frameContentProblem(spec);

/**
 * What is wrong with a pod's spec, as far as scheduling reads it; undefined when it is sound. The API server admits
 * none of this; plain objects from elsewhere may hold it.
 */
export const podSpecProblem = (spec: PodSpec): FieldProblem | undefined => podContainersProblem(spec) ?? podFrameProblem(spec);
