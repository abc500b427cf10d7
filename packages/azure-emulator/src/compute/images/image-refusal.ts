import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import type { RecordedSku } from '../../data/recorded-skus.ts';
import type { ImageVersions } from './image-versions.ts';
import { capabilityOf } from '../sizes/sku-catalog.ts';
import type { VmBody } from '../vms/vm-body.ts';
import { imageIdOf } from '../vms/vm-entry.ts';

const COMMUNITY = /^\/CommunityGalleries\/([^/]+)\/images\/([^/]+)\/versions\/([^/]+)$/i;
const SHARED =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/galleries\/([^/]+)\/images\/([^/]+)\/versions\/([^/]+)$/i;

const notFound = (id: string, location: string): ArmRefusal =>
  refusal(
    404,
    'GalleryImageNotFound',
    `The gallery image ${id} is not available in ${location} region. Please contact image owner to replicate to this region, or change your requested region.`,
  );

/** The definition that an image id names, or undefined when there is no such image. */
const definitionOf = (id: string, images: ImageVersions): string | undefined => {
  const [, gallery = '', definition = '', version = ''] = COMMUNITY.exec(id) ?? SHARED.exec(id) ?? [];
  return images.versionsOf(gallery, definition)?.some((known) => known.version === version) ? definition : undefined;
};

/** AKS names say it: `2204gen2arm64containerd`, `V3gen2`, `2204containerd`. */
const machineOf = (definition: string): { readonly generation: 'V1' | 'V2'; readonly architecture: 'x64' | 'Arm64' } => ({
  generation: definition.includes('gen2') ? 'V2' : 'V1',
  architecture: definition.includes('arm64') ? 'Arm64' : 'x64',
});

/** Why a size cannot boot the image that a body names, or undefined. */
export const imageRefusal = (body: VmBody, sku: RecordedSku, images: ImageVersions): ArmRefusal | undefined => {
  const id = imageIdOf(body);
  const definition = definitionOf(id, images);
  if (definition === undefined) return notFound(id, body.location);
  const { generation, architecture } = machineOf(definition);
  const supported = capabilityOf(sku, 'CpuArchitectureType') ?? 'x64';
  if (supported !== architecture) {
    return refusal(
      400,
      'BadRequest',
      `Cannot create a VM of size '${sku.name}' because this VM size only supports a CPU Architecture of '${supported}', but an image or disk with CPU Architecture '${architecture}' was given. Please check that the CPU Architecture of the image or disk is compatible with that of the VM size.`,
    );
  }
  if (!(capabilityOf(sku, 'HyperVGenerations') ?? 'V1').split(',').includes(generation)) {
    return refusal(
      400,
      'BadRequest',
      `The selected VM size '${sku.name}' cannot boot Hypervisor Generation '${generation.slice(1)}'. If this was a Create operation please check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected VM Size.`,
    );
  }
  return undefined;
};
