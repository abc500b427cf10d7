import type { ContainerPort, Volume } from '@karpenter/core/internal';
import type { PodTrait } from './a-pod.ts';

/** A port of the node for the first container; after `requesting`, which makes that container. */
export const withHostPort =
  (hostPort: number, how: Pick<ContainerPort, 'hostIP' | 'protocol'> = {}): PodTrait =>
  (pod) => {
    const [first = { name: 'main' }, ...others] = pod.spec.containers;
    const ports = [...(first.ports ?? []), { containerPort: hostPort, hostPort, ...how }];
    return { ...pod, spec: { ...pod.spec, containers: [{ ...first, ports }, ...others] } };
  };

/** The same for a sidecar. */
export const withSidecarPort =
  (hostPort: number): PodTrait =>
  (pod) => {
    const sidecar = { name: 'proxy', restartPolicy: 'Always', ports: [{ containerPort: hostPort, hostPort }] };
    return { ...pod, spec: { ...pod.spec, initContainers: [...(pod.spec.initContainers ?? []), sidecar] } };
  };

export const withVolume =
  (volume: Volume): PodTrait =>
  (pod) => ({ ...pod, spec: { ...pod.spec, volumes: [...(pod.spec.volumes ?? []), volume] } });

/** A volume for each of these claims, named like it. */
export const withClaims =
  (...claimNames: readonly string[]): PodTrait =>
  (pod) =>
    claimNames.reduce((changed, claimName) => withVolume({ name: claimName, persistentVolumeClaim: { claimName } })(changed), pod);

/** A volume that comes and goes with the pod. */
export const withEphemeralVolume = (name: string, storageClassName: string): PodTrait =>
  withVolume({ name, ephemeral: { volumeClaimTemplate: { spec: { storageClassName } } } });
