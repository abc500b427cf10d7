import type { ApiObject, LocalApi } from '@karpenter/api-server';
import type { WorkloadStatus } from '../objects/workload.ts';

/** Writes a status if it says anything new. */
export const writeStatus = (api: LocalApi, object: ApiObject & { readonly status?: WorkloadStatus }, changes: WorkloadStatus): void => {
  const status = { ...object.status, ...changes };
  if (JSON.stringify(status) !== JSON.stringify(object.status)) api.updateStatus({ ...object, status });
};
