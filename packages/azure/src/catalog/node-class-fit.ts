import { gpuOf, makesConfidentialVms, type Sku } from '../skus/index.ts';
import type { NodeClassFacets } from './node-class-facets.ts';

const fitsGpu = (sku: Sku, facets: NodeClassFacets): boolean => {
  if (sku.gpus === 0) return true;
  const gpu = gpuOf(sku.name);
  if (gpu?.supports.includes(facets.osSku) !== true) return false;
  return facets.gpuMode === 'None' || gpu.manufacturer === 'nvidia';
};

const fitsTrustedLaunch = (sku: Sku): boolean => sku.hyperVGenerations.includes('2') && !sku.has('TrustedLaunchDisabled');

/** LocalDNS costs memory and time on every node; tiny sizes have neither to spare. */
const fitsLocalDns = (sku: Sku): boolean => sku.vCpus >= 4 && sku.memoryGiB * 1024 >= 244;

/** Whether a size can make the nodes of a class. */
export const fitsNodeClass = (sku: Sku, facets: NodeClassFacets): boolean =>
  fitsGpu(sku, facets) &&
  makesConfidentialVms(sku) === facets.isConfidential &&
  (!facets.isEncryptedAtHost || sku.has('EncryptionAtHostSupported')) &&
  (!facets.hasLocalDns || fitsLocalDns(sku)) &&
  (!facets.streamsArtifacts || sku.architecture !== 'arm64') &&
  (!facets.isTrustedLaunch || fitsTrustedLaunch(sku));
