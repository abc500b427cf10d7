import type { ArmRefusal } from './arm-error.ts';

const conflict = (code: string, message: string): ArmRefusal => ({ status: 409, error: { code, message } });

export interface QuotaFigures {
  readonly location: string;
  readonly limit: number;
  readonly usage: number;
  readonly required: number;
}

const quotaExceeded = (quota: string, { location, limit, usage, required }: QuotaFigures): ArmRefusal =>
  conflict(
    'OperationNotAllowed',
    `Operation could not be completed as it results in exceeding approved ${quota} quota. Additional details - Deployment Model: Resource Manager, ` +
      `Location: ${location}, Current Limit: ${String(limit)}, Current Usage: ${String(usage)}, Additional Required: ${String(required)}, ` +
      `(Minimum) New Limit Required: ${String(usage + required)}. Setup Alerts when Quota reaches threshold. ` +
      'Please read more about quota limits at https://aka.ms/quotamonitoring',
  );

const sizeExpression = (size: string): object => ({
  result: 'False',
  expressionKind: 'Field',
  expression: 'Microsoft.Compute/virtualMachines/sku.name',
  path: 'properties.hardwareProfile.vmSize',
  expressionValue: size,
  operator: 'In',
});

/**
 * What Azure answers when it is out of stock, with the codes and the words by which clients distinguish them. Each is a
 * refusal for `faults.add({ effect: { kind: 'refuse' | 'fail', refusal } })`.
 *
 * Source: the error table of Azure/karpenter-provider-azure, pkg/providers/instance.
 */
export const knownRefusals = {
  familyQuota: (family: string, figures: QuotaFigures): ArmRefusal => quotaExceeded(`${family} Cores`, figures),
  lowPriorityQuota: (figures: QuotaFigures): ArmRefusal => quotaExceeded('LowPriorityCores', figures),
  regionalQuota: (figures: QuotaFigures): ArmRefusal => quotaExceeded('Total Regional Cores', figures),
  skuNotAvailable: (size: string, location: string): ArmRefusal =>
    conflict(
      'SkuNotAvailable',
      `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${size}' is currently not available in location '${location}'. ` +
        'Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.',
    ),
  /** The most that was to be paid for a spot machine is less than it costs, in USD an hour. */
  spotPriceAboveMaximum: (size: string, { price, maxPrice }: { readonly price: number; readonly maxPrice: number }): ArmRefusal =>
    conflict(
      'SpotPriceGreaterThanProvidedMaxPrice',
      `The provided max price '${String(maxPrice)} USD' is lower than the current spot price '${String(price)} USD' for Azure Spot VM size '${size}'.`,
    ),
  /** As the machine API of AKS says it. */
  machineSizeNotSupported: (size: string, location: string): ArmRefusal => ({
    status: 400,
    error: { code: 'VMSizeNotSupported', message: `Virtual Machine size: '${size}' is not supported in location '${location}'.` },
  }),
  zonalAllocationFailed: (): ArmRefusal =>
    conflict(
      'ZonalAllocationFailed',
      'Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of ' +
        'allocation success at http://aka.ms/allocation-guidance',
    ),
  allocationFailed: (): ArmRefusal =>
    conflict(
      'AllocationFailed',
      'Allocation failed. We do not have sufficient capacity for the requested VM size in this region. Read more about improving likelihood of ' +
        'allocation success at http://aka.ms/allocation-guidance',
    ),
  overconstrainedZonal: (): ArmRefusal =>
    conflict(
      'OverconstrainedZonalAllocationRequest',
      'Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some ' +
        'constraints and try again. Constraints applied are: Differencing (Ephemeral) Disks, Availability Zone, VM Size',
    ),
  overconstrained: (): ArmRefusal =>
    conflict(
      'OverconstrainedAllocationRequest',
      'Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some ' +
        'constraints and try again. Constraints applied are: Low Priority VMs, VM Size',
    ),
  /** A policy of the subscription allows only some sizes. Source: Azure/karpenter-provider-azure#794. */
  sizeDisallowedByPolicy: (vm: string, size: string): ArmRefusal => ({
    status: 403,
    error: {
      code: 'RequestDisallowedByPolicy',
      target: vm,
      message: `Resource '${vm}' was disallowed by policy. Reasons: 'The selected virtual machine size is not allowed.'. See error details for policy resource IDs.`,
      additionalInfo: [{ type: 'PolicyViolation', info: { evaluationDetails: { evaluatedExpressions: [sizeExpression(size)] } } }],
    },
  }),
  osProvisioningTimedOut: (vm: string): ArmRefusal =>
    conflict(
      'OSProvisioningTimedOut',
      `OS Provisioning for VM '${vm}' did not finish in the allotted time. The VM may still finish provisioning successfully. Please check ` +
        'provisioning state later.',
    ),
  internalError: (): ArmRefusal => ({
    status: 500,
    error: { code: 'InternalExecutionError', message: 'An internal execution error occurred. Please retry later.' },
  }),
  /** ARM's throttling of a whole subscription. */
  tooManyRequests: (retryAfterSeconds: number, kind: 'reads' | 'writes' | 'deletes' = 'writes'): ArmRefusal => ({
    status: 429,
    retryAfterSeconds,
    error: {
      code: 'SubscriptionRequestsThrottled',
      message:
        `Number of '${kind.slice(0, -1)}' requests for the subscription exceeded. Please try again after '${String(retryAfterSeconds)}' seconds after additional ` +
        'tokens are available. Refer to https://aka.ms/arm-throttling for additional information.',
    },
  }),
  tooManyAksRequests: (retryAfterSeconds: number): ArmRefusal => ({
    status: 429,
    retryAfterSeconds,
    error: { code: 'Throttled', message: `The request is throttled by AKS. Please try again after ${String(retryAfterSeconds)} seconds.` },
  }),
} as const;
