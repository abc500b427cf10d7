import { firstConflict, type InstanceType, requirementsOf } from '@karpenter/core';
import { azureLabelCatalog, type NodeImage } from '../apis/index.ts';

/** The first image that a type can run; undefined when it can run none. */
export const selectImage = (images: readonly NodeImage[], type: InstanceType): NodeImage | undefined =>
  images.find((image) => firstConflict(type.requirements, requirementsOf(image.requirements, azureLabelCatalog)) === undefined);
