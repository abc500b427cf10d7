import type { InstanceType } from '@karpenter/core';
import type { Sku } from '../skus/index.ts';
import { gpuModelOf } from './gpu-models.ts';
import { migTemplates } from './mig-partitions.ts';
import type { NodeClassFacets } from './node-class-facets.ts';

/** What decides how GPUs are published. */
type Source = Pick<Sku, 'name' | 'gpus'> & Partial<Pick<NodeClassFacets, 'mig'>>;

/** The devices that the vendor's DRA driver will publish on machines of a size: whole GPUs in one pool, and their MIG partitions where the class asks for them. */
export const gpuDevicesOf = ({ name, gpus, mig = 'None' }: Source): Pick<InstanceType, 'dynamicResources'> => {
  const model = gpuModelOf(name);
  if (model === undefined || gpus === 0) return {};
  const { driver, attributes, capacity, migProfiles } = model;
  if (mig === 'Dynamic' && migProfiles !== undefined)
    return { dynamicResources: { resourceSliceTemplates: migTemplates(model, migProfiles, gpus) } };
  const devices = Array.from({ length: gpus }, (_, minor) => ({ name: `gpu-${minor}`, attributes, capacity }));
  return { dynamicResources: { resourceSliceTemplates: [{ driver, pool: 'gpus', devices }] } };
};
