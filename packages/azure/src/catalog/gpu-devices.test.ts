import { describe, expect, test } from '@jest/globals';
import { simulate, snapshotOf } from '@karpenter/core';
import { gpuDevicesOf, migProfileOf } from './gpu-devices.ts';

const deviceNames = (name: string, gpus: number): readonly string[] =>
  (gpuDevicesOf({ name, gpus }).dynamicResources?.resourceSliceTemplates ?? []).flatMap(({ devices = [] }) =>
    devices.map((device) => `${device.name} ${device.attributes?.['productName']?.string ?? ''}`),
  );

describe('a size with NVIDIA GPUs', () => {
  test.each<[string, number, string]>([
    ['Standard_NC64as_T4_v3', 4, 'Tesla T4'],
    ['Standard_NC24rs_v3', 4, 'Tesla V100-PCIE-16GB'],
    ['Standard_NC48ads_A100_v4', 2, 'NVIDIA A100 80GB PCIe'],
    ['Standard_ND96asr_v4', 8, 'NVIDIA A100-SXM4-40GB'],
    ['Standard_ND96amsr_A100_v4', 8, 'NVIDIA A100-SXM4-80GB'],
    ['Standard_NC80adis_H100_v5', 2, 'NVIDIA H100 NVL'],
    ['Standard_ND96isr_H100_v5', 8, 'NVIDIA H100 80GB HBM3'],
    ['Standard_ND96isr_H200_v5', 8, 'NVIDIA H200'],
  ])('%s publishes %i whole GPUs of one model', (name, gpus, productName) => {
    expect(deviceNames(name, gpus)).toEqual(Array.from({ length: gpus }, (_, minor) => `gpu-${minor} ${productName}`));
  });

  test('says of each what the driver of NVIDIA says, but for what is known on the node alone', () => {
    expect(gpuDevicesOf({ name: 'Standard_NC24ads_A100_v4', gpus: 1 }).dynamicResources).toEqual({
      resourceSliceTemplates: [
        {
          driver: 'gpu.nvidia.com',
          pool: 'gpus',
          devices: [
            {
              name: 'gpu-0',
              attributes: {
                type: { string: 'gpu' },
                productName: { string: 'NVIDIA A100 80GB PCIe' },
                brand: { string: 'Nvidia' },
                architecture: { string: 'Ampere' },
                cudaComputeCapability: { version: '8.0.0' },
              },
              capacity: { memory: { value: '81920Mi' } },
            },
          ],
        },
      ],
    });
  });
});

test("a size with AMD's MI300X says what AMD's driver says", () => {
  const [template] = gpuDevicesOf({ name: 'Standard_ND96isr_MI300X_v5', gpus: 8 }).dynamicResources?.resourceSliceTemplates ?? [];
  expect(template?.driver).toBe('gpu.amd.com');
  expect(template?.devices).toHaveLength(8);
  const { attributes, capacity, ...device } = template?.devices?.[0] ?? { name: 'none' };
  const [type, family, product, partitions] = ['amdgpu', 'AI', 'AMD_Instinct_MI300X_OAM', 'spx_nps1'].map((string) => ({ string }));
  expect(device).toEqual({ name: 'gpu-0' });
  expect(attributes).toEqual({ type, family, productName: product, partitionProfile: partitions });
  expect(capacity).toEqual({ memory: { value: '196592Mi' }, computeUnits: { value: '304' }, simdUnits: { value: '1216' } });
});

describe('the MIG partitions of a class that asks for them', () => {
  const devicesOf = (name: string, gpus: number) =>
    (gpuDevicesOf({ name, gpus, mig: 'Dynamic' }).dynamicResources?.resourceSliceTemplates ?? []).flatMap(({ devices = [] }) => devices);

  test('are published beside the whole GPU, GPU by GPU, with counters in a slice of their own', () => {
    const templates = gpuDevicesOf({ name: 'Standard_NC80adis_H100_v5', gpus: 2, mig: 'Dynamic' }).dynamicResources?.resourceSliceTemplates;
    expect(templates?.map(({ devices, sharedCounters }) => [devices?.length ?? 0, sharedCounters?.length ?? 0])).toEqual([
      [0, 2],
      [26, 0],
      [26, 0],
    ]);
  });

  test.each([
    ['Standard_NC40ads_H100_v5', ['1g.12gb', '1g.12gb+me', '1g.24gb', '2g.24gb', '3g.47gb', '4g.47gb', '7g.94gb']],
    ['Standard_ND96isr_H100_v5', ['1g.10gb', '1g.10gb+me', '1g.20gb', '2g.20gb', '3g.40gb', '4g.40gb', '7g.80gb']],
    ['Standard_ND96isr_H200_v5', ['1g.18gb', '1g.18gb+me', '1g.35gb', '2g.35gb', '3g.71gb', '4g.71gb', '7g.141gb']],
  ])('of %s have the profiles of its model', (name, profiles) => {
    const found = new Set(devicesOf(name, 1).flatMap(({ attributes }) => attributes?.['profile']?.string ?? []));
    expect([...found]).toEqual(profiles);
  });

  test("are named as NVIDIA's driver names them: GPU, profile, its id and its first memory slice", () => {
    const names = devicesOf('Standard_ND96isr_H100_v5', 1).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['gpu-0', 'gpu-0-mig-1g10gb-19-6', 'gpu-0-mig-1g10gb-me-20-0', 'gpu-0-mig-3g40gb-9-4']));
  });

  test('are not promised for an A100, whose MIG mode the driver cannot turn on', () => {
    expect(devicesOf('Standard_NC24ads_A100_v4', 1).map(({ name }) => name)).toEqual(['gpu-0']);
  });

  test('have the least memory that nvidia-smi printed for them, and so has the whole GPU', () => {
    const memory = devicesOf('Standard_NC40ads_H100_v5', 1).map(({ name, capacity }) => `${name} ${capacity?.['memory']?.value ?? ''}`);
    const [smallest, large, half] = ['1g12gb-19-0 10880Mi', '1g24gb-15-0 22016Mi', '3g47gb-9-0 47232Mi'].map((text) => `gpu-0-mig-${text}`);
    expect(memory).toEqual(expect.arrayContaining(['gpu-0 94848Mi', smallest, large, half]));
  });

  const ofType = (name: string) => ({
    metadata: { name },
    spec: { selectors: [{ cel: { expression: `device.attributes["gpu.nvidia.com"].type == "${name}"` } }] },
  });

  /** Whether one H100 can be split into parts of these profiles. */
  const fits = (...profiles: readonly string[]): boolean => {
    const requests = profiles.map((profile, index) => ({
      name: `part-${index}`,
      exactly:
        profile === 'whole'
          ? { deviceClassName: 'gpu' }
          : {
              deviceClassName: 'mig',
              selectors: [{ cel: { expression: `device.attributes["gpu.nvidia.com"].profile == "${profile}"` } }],
            },
    }));
    const nodeClassRef = { group: 'example.com', kind: 'NodeClass', name: 'default' };
    const plan = simulate(
      snapshotOf({
        nodePools: [
          {
            apiVersion: 'karpenter.sh/v1',
            kind: 'NodePool',
            metadata: { name: 'default' },
            spec: { template: { spec: { requirements: [], nodeClassRef } } },
          },
        ],
        instanceTypes: [
          {
            name: 'h100',
            capacity: { cpu: '40', memory: '320Gi' },
            pricePerHour: { 'on-demand': 7 },
            ...gpuDevicesOf({ name: 'Standard_ND96isr_H100_v5', gpus: 1, mig: 'Dynamic' }),
          },
        ],
        deviceClasses: ['gpu', 'mig'].map(ofType),
        resourceClaims: [{ metadata: { name: 'parts', namespace: 'default' }, spec: { devices: { requests } } }],
        pods: [
          {
            metadata: { name: 'pod' },
            spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'parts', resourceClaimName: 'parts' }] },
          },
        ],
      }),
    );
    return plan.rejections.length === 0;
  };
  const times = (count: number, profile: string): readonly string[] => Array.from({ length: count }, () => profile);

  test.each<[string, readonly string[], boolean]>([
    ['seven of the smallest', times(7, '1g.10gb'), true],
    ['three of two slices', times(3, '2g.20gb'), true],
    ['not four of two slices', times(4, '2g.20gb'), false],
    ['two of three', times(2, '3g.40gb'), true],
    ['one of four and one of three', ['4g.40gb', '3g.40gb'], true],
    ['not two of four', times(2, '4g.40gb'), false],
    ['one with media extensions among the smallest', ['1g.10gb+me', ...times(6, '1g.10gb')], true],
    ['not two with media extensions: the GPU has them once', times(2, '1g.10gb+me'), false],
    ['four with more memory', times(4, '1g.20gb'), true],
    ['one of seven', ['7g.80gb'], true],
    ['not one of seven beside the smallest', ['7g.80gb', '1g.10gb'], false],
    ['not the whole GPU beside a part', ['whole', '1g.10gb'], false],
  ])('fit a GPU together as NVIDIA says: %s', (_, profiles, areTogether) => {
    expect(fits(...profiles)).toBe(areTogether);
  });
});

describe('the MIG partitions with which GPUs are filled when the node starts', () => {
  const devicesOf = (name: string, mig: 'MIG1g' | 'MIG2g' | 'MIG3g' | 'MIG4g' | 'MIG7g', gpus = 1) =>
    (gpuDevicesOf({ name, gpus, mig }).dynamicResources?.resourceSliceTemplates ?? []).flatMap(({ devices = [] }) => devices);
  const summary = (...[name, mig, gpus]: Parameters<typeof devicesOf>) =>
    devicesOf(name, mig, gpus).map((device) => `${device.name} ${device.capacity?.['memory']?.value ?? ''}`);

  test.each<[name: string, mig: 'MIG1g' | 'MIG2g' | 'MIG3g' | 'MIG4g' | 'MIG7g', parts: readonly string[]]>([
    ['Standard_ND96asr_v4', 'MIG1g', [0, 1, 2, 3, 4, 5, 6].map((start) => `gpu-0-mig-1g5gb-19-${start} 4864Mi`)],
    ['Standard_ND96asr_v4', 'MIG3g', ['gpu-0-mig-3g20gb-9-0 19968Mi', 'gpu-0-mig-3g20gb-9-4 19968Mi']],
    ['Standard_NC24ads_A100_v4', 'MIG1g', [0, 1, 2, 3, 4, 5, 6].map((start) => `gpu-0-mig-1g10gb-19-${start} 9728Mi`)],
    ['Standard_NC24ads_A100_v4', 'MIG2g', [0, 2, 4].map((start) => `gpu-0-mig-2g20gb-14-${start} 19968Mi`)],
    ['Standard_NC24ads_A100_v4', 'MIG4g', ['gpu-0-mig-4g40gb-5-0 40192Mi']],
    ['Standard_NC24ads_A100_v4', 'MIG7g', ['gpu-0-mig-7g80gb-0-0 80384Mi']],
    ['Standard_NC40ads_H100_v5', 'MIG7g', ['gpu-0-mig-7g94gb-0-0 94848Mi']],
  ])('of %s with %s are alone on the GPU', (name, mig, parts) => {
    expect(summary(name, mig)).toEqual(parts);
  });

  test('say what the driver says: attributes of the GPU, profile, engines and memory slices, and no counters', () => {
    expect(devicesOf('Standard_NC48ads_A100_v4', 'MIG3g', 2).at(-1)).toEqual({
      name: 'gpu-1-mig-3g40gb-9-4',
      attributes: {
        type: { string: 'mig' },
        profile: { string: '3g.40gb' },
        productName: { string: 'NVIDIA A100 80GB PCIe' },
        brand: { string: 'Nvidia' },
        architecture: { string: 'Ampere' },
        cudaComputeCapability: { version: '8.0.0' },
      },
      capacity: {
        ...{ multiprocessors: { value: '42' }, copyEngines: { value: '3' }, decoders: { value: '2' }, encoders: { value: '0' } },
        ...{ jpegEngines: { value: '0' }, ofaEngines: { value: '0' }, memory: { value: '40192Mi' } },
        ...{ memorySlice4: { value: '1' }, memorySlice5: { value: '1' }, memorySlice6: { value: '1' }, memorySlice7: { value: '1' } },
      },
    });
  });

  test('are none on a size whose GPUs cannot be split', () => {
    expect(summary('Standard_NC4as_T4_v3', 'MIG1g')).toEqual(['gpu-0 15360Mi']);
    expect(migProfileOf({ gpu: { mig: 'MIG1g' } }, 'Standard_NC4as_T4_v3')).toBeUndefined();
    expect(migProfileOf({ gpu: { mig: 'MIG1g' } }, 'Standard_NC24ads_A100_v4')).toBe('MIG1g');
    expect(migProfileOf({ gpu: { mig: 'Dynamic' } }, 'Standard_NC24ads_A100_v4')).toBeUndefined();
  });
});

test.each(['Standard_D4s_v5', 'Standard_NV6ads_A10_v5', 'Standard_NV28adms_V710_v5'])(
  '%s promises no devices: it has none, or a part of one',
  (name) => {
    expect(gpuDevicesOf({ name, gpus: 1 })).toEqual({});
  },
);
