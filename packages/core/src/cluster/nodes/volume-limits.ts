import type { CSINode } from '../../kube/index.ts';
import type { NodeView } from './node-view.ts';

/** What the drivers of a node say that they attach at most; undefined before they have registered. */
export const volumeLimitsOf = (csiNode: CSINode | undefined): NodeView['volumeLimits'] => {
  const drivers = csiNode?.spec?.drivers;
  if (drivers === undefined) return undefined;
  const stated = drivers.flatMap(({ name, allocatable }): [string, number][] =>
    allocatable?.count === undefined ? [] : [[name, Math.max(0, allocatable.count)]],
  );
  return Object.fromEntries(stated);
};
