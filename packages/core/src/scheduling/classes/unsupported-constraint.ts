import type { FieldProblem } from '../../base/index.ts';
import type { Container, PodSpec } from '../../kube/index.ts';

type Check = (spec: PodSpec) => FieldProblem | undefined;

const refuse = (field: string, value: string, problem: string): FieldProblem => ({ field, value, problem });

const hostPortOf = (containers: readonly Container[]): number | undefined =>
  containers.flatMap(({ ports = [] }) => ports).find(({ hostPort }) => (hostPort ?? 0) > 0)?.hostPort;

const checks: readonly Check[] = [
  ({ containers, initContainers = [] }) => {
    // A sidecar holds its ports as long as the pod runs; other init containers do not count.
    const port = hostPortOf([...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')]);
    return port === undefined ? undefined : refuse('spec.containers.ports.hostPort', String(port), 'host ports are not supported yet');
  },
  ({ volumes = [] }) => {
    const volume = volumes.find(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined);
    return volume && refuse('spec.volumes', volume.name, 'persistent volumes are not supported yet');
  },
];

/** The first constraint of the pod that this library cannot honour yet: such a pod is refused, never placed as if it had not asked. */
export const unsupportedConstraint: Check = (spec) => {
  for (const check of checks) {
    const problem = check(spec);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
