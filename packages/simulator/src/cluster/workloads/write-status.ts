import type { LocalApi } from '../../api/door/index.ts';
import type { Workload, WorkloadStatus } from '../objects/workload.ts';

/** Writes a status if it says anything new. */
export const writeStatus = <T extends Pick<Workload, 'apiVersion' | 'kind' | 'metadata' | 'status'>>(
  api: LocalApi,
  object: T,
  changes: WorkloadStatus,
): void => {
  const status = { ...object.status, ...changes };
  if (JSON.stringify(status) !== JSON.stringify(object.status)) api.updateStatus({ ...object, status });
};
