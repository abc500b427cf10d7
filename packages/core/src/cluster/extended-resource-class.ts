import { compareText, memoByObject } from '../base/index.ts';
import type { DeviceClass } from '../kube/index.ts';
import type { DeviceView } from './device-view.ts';

/** Before the name of a DeviceClass: the extended resource that every class stands for. Source: `k8s.io/api/resource/v1`. */
const IMPLICIT = 'deviceclass.resource.kubernetes.io/';

type Classes = DeviceView['classes'];

/**
 * Whether the first class wins the resource that both name: the newer, then the first by name. Source: Kubernetes,
 * `extendedresourcecache`.
 */
const wins = (a: DeviceClass, b: DeviceClass): boolean => {
  const byAge = compareText(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '');
  return (byAge === 0 ? compareText(a.metadata.name, b.metadata.name) : byAge) < 0;
};

/** Resource → the class that names it. */
const classesByResource = memoByObject((classes: Classes): ReadonlyMap<string, DeviceClass> => {
  const byResource = new Map<string, DeviceClass>();
  for (const deviceClass of classes.values()) {
    const resource = deviceClass.spec.extendedResourceName;
    const other = resource === undefined ? undefined : byResource.get(resource);
    if (resource !== undefined && (other === undefined || wins(deviceClass, other))) byResource.set(resource, deviceClass);
  }
  return byResource;
});

/** The DeviceClass that stands for an extended resource, so that its devices may meet requests for it. */
export const deviceClassFor = ({ classes }: Pick<DeviceView, 'classes'>, resource: string): DeviceClass | undefined => {
  if (resource.startsWith(IMPLICIT)) return classes.get(resource.slice(IMPLICIT.length));
  return classesByResource(classes).get(resource);
};
