import { explain, type NodePool, simulate, snapshotOf } from '@karpenter/core';

const nodeClassRef = { group: 'example.com', kind: 'NodeClass', name: 'default' };
const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: { template: { spec: { requirements: [], nodeClassRef } } },
};

// Eight GPUs in pairs that NVLink joins, and one GPU that is split into slices: seven slots, and each slice takes some of them.
const pairs = Array.from({ length: 8 }, (_, index) => ({ name: `gpu-${index}`, attributes: { pair: { int: Math.floor(index / 2) } } }));
const slots = (value: string) => ({ consumesCounters: [{ counterSet: 'gpu-0', counters: { slots: { value } } }] });
const slices = [...Array.from({ length: 3 }, (_, index) => ({ name: `2g-${index}`, ...slots('2') })), { name: '7g-0', ...slots('7') }];
const instanceTypes = [
  {
    name: 'eight-gpus',
    capacity: { cpu: '64', memory: '512Gi' },
    pricePerHour: { 'on-demand': 30 },
    dynamicResources: { resourceSliceTemplates: [{ driver: 'gpu.example.com', pool: 'gpus', devices: pairs }] },
  },
  {
    name: 'one-gpu',
    capacity: { cpu: '8', memory: '64Gi' },
    pricePerHour: { 'on-demand': 4 },
    dynamicResources: {
      resourceSliceTemplates: [
        { driver: 'mig.example.com', pool: 'gpus', sharedCounters: [{ name: 'gpu-0', counters: { slots: { value: '7' } } }] },
        { driver: 'mig.example.com', pool: 'gpus', devices: slices },
      ],
    },
  },
  {
    name: 'shared-gpu',
    capacity: { cpu: '8', memory: '64Gi' },
    pricePerHour: { 'on-demand': 5 },
    dynamicResources: {
      resourceSliceTemplates: [
        {
          driver: 'share.example.com',
          pool: 'gpus',
          // Several claims may have the device, each with as much of its memory as it asks for.
          devices: [{ name: 'gpu-0', allowMultipleAllocations: true, capacity: { memory: { value: '40Gi' } } }],
        },
      ],
    },
  },
];

const deviceClass = (name: string) => ({
  metadata: { name },
  spec: { selectors: [{ cel: { expression: `device.driver == "${name}.example.com"` } }] },
});
const claim = (name: string, deviceClassName: string, count = 1) => ({
  metadata: { name, namespace: 'default' },
  spec: {
    devices: {
      requests: [{ name: 'devices', exactly: { deviceClassName, count } }],
      constraints: count === 2 || count === 3 ? [{ matchAttribute: 'gpu.example.com/pair' }] : [],
    },
  },
});
const share = (name: string, memory: string) => ({
  metadata: { name, namespace: 'default' },
  spec: {
    devices: { requests: [{ name: 'devices', exactly: { deviceClassName: 'share', count: 1, capacity: { requests: { memory } } } }] },
  },
});
const pod = (name: string, resourceClaimName: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'devices', resourceClaimName }] },
});

const plan = simulate(
  snapshotOf({
    nodePools: [nodePool],
    instanceTypes,
    deviceClasses: [deviceClass('gpu'), deviceClass('mig'), deviceClass('share')],
    resourceClaims: [
      claim('pair', 'gpu', 2),
      claim('shared', 'mig'),
      claim('slice', 'mig'),
      claim('three', 'gpu', 3),
      claim('nine', 'gpu', 9),
      share('most', '30Gi'),
      share('rest', '10Gi'),
      share('half', '20Gi'),
    ],
    pods: [
      ...[pod('trainer', 'pair'), pod('reader', 'shared'), pod('writer', 'shared'), pod('notebook', 'slice')],
      ...[pod('chat', 'most'), pod('search', 'rest'), pod('index', 'half')],
      ...[pod('triple', 'three'), pod('monster', 'nine')],
    ],
  }),
);
for (const { cheapest, pods } of plan.plannedNodes)
  console.log(
    `${cheapest.instanceType.name} for ${pods
      .map(({ metadata }) => metadata.name)
      .sort()
      .join(', ')}`,
  );
for (const rejection of plan.rejections) console.log(explain(rejection));
