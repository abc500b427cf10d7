import { type CloudProviderError, labels, type NodeClaim } from '@karpenter/core';
import type { Counter, EventRecorder, Logger } from '@karpenter/core/controllers';
import type { AzureKube } from './azure-kube.ts';

/** A machine that was accepted and did not come: its claim is to be deleted, so that its pods are planned again. */
export interface LaunchFailure {
  readonly claimName: string;
  readonly error: CloudProviderError;
}

export interface GivingUpDeps {
  readonly kube: Pick<AzureKube, 'get' | 'delete'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly logger: Logger;
  readonly claimsDisrupted: Counter;
}

/** Deletes the claim of a launch that failed, and says why where people look for it: the claim itself is soon gone. */
export const givingLaunchesUp =
  ({ kube, events, logger, claimsDisrupted }: GivingUpDeps) =>
  async ({ claimName, error }: LaunchFailure, signal: AbortSignal): Promise<void> => {
    const claim = await kube.get<NodeClaim>('NodeClaim', { name: claimName }, { signal });
    if (claim === undefined) return;
    const { uid, labels: own = {} } = claim.metadata;
    logger.info('a NodeClaim is given up because its machine did not come', { claim: claimName, reason: error.reason });
    events.record({
      subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: claimName, ...(uid !== undefined && { uid }) },
      type: 'Warning',
      reason: 'AsyncProvisioningError',
      message: `Failed to register: ${error.message}`,
    });
    claimsDisrupted.increment({
      reason: 'async_provisioning',
      nodepool: own[labels.nodePool] ?? '',
      capacity_type: own[labels.capacityType] ?? '',
      consolidation_policy: '',
      termination_mode: '',
    });
    await kube.delete('NodeClaim', { name: claimName }, { signal });
  };
