import type { InstanceType } from '@karpenter/core';
import { type AKSNodeClassSpec, isMigProfile, type MigProfile } from '../apis/index.ts';
import type { Sku } from '../skus/index.ts';
import { gpuModelOf } from './gpu-models.ts';
import { dynamicPartitions, fixedPartitions } from './mig-partitions.ts';
import type { NodeClassFacets } from './node-class-facets.ts';

/** What decides how GPUs are published. */
type Source = Pick<Sku, 'name' | 'gpus'> & Partial<Pick<NodeClassFacets, 'mig'>>;

/**
 * The profile with which the GPUs of a node are filled when it starts; undefined where its class names none, or its
 * size has no such GPUs.
 */
export const migProfileOf = ({ gpu }: Pick<AKSNodeClassSpec, 'gpu'>, sizeName: string): MigProfile | undefined => {
  const { mig = 'None' } = gpu ?? {};
  return isMigProfile(mig) && gpuModelOf(sizeName)?.mig !== undefined ? mig : undefined;
};

/**
 * The devices that the vendor's DRA driver will publish on machines of a size: whole GPUs in one pool, or their MIG
 * partitions if the class requests them.
 */
export const gpuDevicesOf = ({ name, gpus, mig = 'None' }: Source): Pick<InstanceType, 'dynamicResources'> => {
  const model = gpuModelOf(name);
  if (model === undefined || gpus === 0) return {};
  const { driver, attributes, capacity, mig: layout } = model;
  const minors = Array.from({ length: gpus }, (_, minor) => minor);
  const splittable = layout === undefined ? [] : minors.map((minor) => ({ model, layout, minor }));
  if (isMigProfile(mig) && splittable.length > 0) return { dynamicResources: { resourceSliceTemplates: fixedPartitions(splittable, mig) } };
  // While a node runs, the driver can turn MIG on for Hopper alone.
  if (mig === 'Dynamic' && layout?.architecture === 'Hopper')
    return { dynamicResources: { resourceSliceTemplates: dynamicPartitions(splittable) } };
  const devices = minors.map((minor) => ({ name: `gpu-${minor}`, attributes, capacity }));
  return { dynamicResources: { resourceSliceTemplates: [{ driver, pool: 'gpus', devices }] } };
};
