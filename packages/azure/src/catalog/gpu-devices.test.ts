import { describe, expect, test } from '@jest/globals';
import { gpuDevicesOf } from './gpu-devices.ts';

const namesOf = (name: string, gpus: number): readonly string[] =>
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
    expect(namesOf(name, gpus)).toEqual(Array.from({ length: gpus }, (_, minor) => `gpu-${minor} ${productName}`));
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

test.each(['Standard_D4s_v5', 'Standard_NV6ads_A10_v5', 'Standard_ND96isr_MI300X_v5'])(
  '%s promises no devices: it has none, a part of one, or one of another driver',
  (name) => {
    expect(gpuDevicesOf({ name, gpus: 1 })).toEqual({});
  },
);
