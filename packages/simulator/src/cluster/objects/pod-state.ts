import type { KubeObject, ObjectKey } from '../../api/door/index.ts';
import type { Pod } from './pod.ts';

/** `namespace/name`, or the name alone where there is no namespace. */
export const keyOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}`;

/** The inverse of `keyOf`. */
export const parseKey = (key: string): ObjectKey => {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
};

/** Whether all containers have ended for good. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isTerminating = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Whether a controller counts the pod among its replicas. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod);

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
