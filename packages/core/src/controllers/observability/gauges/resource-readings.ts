import type { Resources } from '../../../kube/index.ts';
import type { MetricLabels, Reading } from '../../../ports/index.ts';

/** `ephemeral-storage` → `ephemeral_storage`, as the original writes it. */
export const resourceTypeLabel = (resource: string): string => resource.toLowerCase().replaceAll('-', '_');

/** A series for each resource, labelled `resource_type`: cpu in cores, memory in bytes, else counts. */
export const resourceReadings = (resources: Resources, labels: MetricLabels): readonly Reading[] =>
  Object.entries(resources).map(([resource, amount]) => ({
    labels: { resource_type: resourceTypeLabel(resource), ...labels },
    value: resource === 'cpu' ? amount / 1000 : amount,
  }));
