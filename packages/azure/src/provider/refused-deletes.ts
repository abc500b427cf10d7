import { type CloudProvider, CloudProviderError, type NodeClaim } from '@karpenter/core';
import type { EventRecorder } from '@karpenter/runtime';

/** A refusal that lasts until a person acts: a lock, a role that is missing. What passes by itself has no event. */
const isRefusal = (error: unknown): error is CloudProviderError =>
  error instanceof CloudProviderError && (error.code === 'forbidden' || error.code === 'launch-failed');

/** Records an event on the claim when Azure refuses to delete its machine. The claim stays, and the delete is tried again. */
export const reportingRefusedDeletes = (provider: CloudProvider, events: Pick<EventRecorder, 'record'>): CloudProvider => {
  const report = ({ metadata: { name, uid } }: NodeClaim, { message }: CloudProviderError): void =>
    events.record({
      subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name, ...(uid !== undefined && { uid }) },
      type: 'Warning',
      reason: 'DeleteInstanceFailed',
      message,
    });
  return {
    ...provider,
    delete: async (claim, options) => {
      try {
        return await provider.delete(claim, options);
      } catch (error) {
        if (isRefusal(error)) report(claim, error);
        throw error;
      }
    },
  };
};
