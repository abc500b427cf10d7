import { gpuOf } from './gpu.ts';
import type { Sku } from './sku.ts';

const AKS_RESTRICTED = ['A0', 'A1', 'A1_v2', 'B1s', 'B1ms', 'F1', 'F1s'].map((size) => `Standard_${size}`);
const KARPENTER_RESTRICTED = ['Standard_E64i_v3', 'Standard_E64is_v3'];
const RESTRICTED = new Set([...AKS_RESTRICTED, ...KARPENTER_RESTRICTED].map((name) => name.toLowerCase()));

/** Why a size is never used for nodes, whatever the class says. */
export type SkuRejection = 'restricted-name' | 'not-in-location' | 'too-small' | 'unknown-gpu' | 'constrained-vcpus' | 'confidential';

/** Sizes for confidential VMs, and for enclaves (SGX). */
const isOfConfidentialSeries = ({ name }: Sku): boolean => /^Standard_[DE]C/.test(name);

/**
 * Whether a size makes confidential VMs, and no others, of the images of AKS: by AMD SEV-SNP.
 * Source: Azure/AKS#5618, sizes with Intel TDX are not supported.
 */
export const makesConfidentialVms = (sku: Sku): boolean => isOfConfidentialSeries(sku) && sku.text('ConfidentialComputingType') === 'SNP';

const CHECKS: readonly (readonly [SkuRejection, (sku: Sku) => boolean])[] = [
  ['restricted-name', (sku) => sku.name.startsWith('Basic_') || RESTRICTED.has(sku.name.toLowerCase())],
  ['not-in-location', (sku) => sku.isRestrictedInLocation],
  ['too-small', (sku) => sku.vCpus < 2 || sku.memoryGiB < 3.5],
  ['unknown-gpu', (sku) => sku.gpus > 0 && gpuOf(sku.name) === undefined],
  ['constrained-vcpus', (sku) => sku.size.constrainedVCpus !== undefined],
  ['confidential', (sku) => isOfConfidentialSeries(sku) && !makesConfidentialVms(sku)],
];

/** The first reason against a size; undefined when nodes may have it. */
export const skuRejectionOf = (sku: Sku): SkuRejection | undefined => CHECKS.find(([, fails]) => fails(sku))?.[0];
