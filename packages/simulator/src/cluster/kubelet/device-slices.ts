import type { DynamicResources } from '@karpenter/core/internal';
import type { LocalApi } from '@karpenter/api-server';
import type { DeviceSlice } from '../objects/device.ts';
import { nodes } from '../objects/node.ts';

type Template = DynamicResources['resourceSliceTemplates'][number];
type Device = NonNullable<Template['devices']>[number];

/** The attributes that are known only on the node: devices that are bound together get one value. */
const boundAttributes = (template: Template, { name }: Device, { resources, nodeName }: Published): Device['attributes'] =>
  Object.fromEntries(
    (resources.attributeBindings ?? []).flatMap(({ attribute, devices }, index) =>
      devices.some(({ driver, pool, device }) => driver === template.driver && pool === template.pool && device === name)
        ? [[attribute, { string: `${nodeName}-${index}` }] as const]
        : [],
    ),
  );

/** What a machine's drivers publish, and for which node. */
interface Published {
  readonly nodeName: string;
  readonly resources: DynamicResources;
}

const sliceSpec = (template: Template, published: Published): DeviceSlice['spec'] => {
  const { driver, pool, devices, sharedCounters } = template;
  const { nodeName, resources } = published;
  const count = resources.resourceSliceTemplates.filter((each) => each.driver === driver && each.pool === pool).length;
  return {
    driver,
    nodeName,
    pool: { name: `${nodeName}-${pool}`, generation: 1, resourceSliceCount: count },
    ...(devices && {
      devices: devices.map((device) => ({
        ...device,
        attributes: { ...device.attributes, ...boundAttributes(template, device, published) },
      })),
    }),
    ...(sharedCounters && { sharedCounters }),
  };
};

/** Publishes the devices of the machine as its drivers do: one ResourceSlice for each template, owned by the node. */
export const publishDevices = (api: LocalApi, published: Published): void => {
  const node = api.get(nodes, { name: published.nodeName });
  if (node === undefined) return;
  const { name = '', uid = '' } = node.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid, controller: true }];
  for (const template of published.resources.resourceSliceTemplates) {
    const metadata = { generateName: `${name}-${template.driver}-`, ownerReferences };
    api.create<DeviceSlice>({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata, spec: sliceSpec(template, published) });
  }
};
