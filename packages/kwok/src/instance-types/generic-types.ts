import type { InstanceTypeEntry, OfferingEntry } from './instance-type-entry.ts';

const GIB = 2 ** 30;
const CPUS = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256];
/** Family → GiB of memory for each cpu. */
const FAMILIES = { c: 2, s: 4, m: 8 };
const SYSTEMS = ['linux', 'windows'];
const ARCHITECTURES = ['amd64', 'arm64'];
const ZONES = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'];
const PRICE_PER_CPU = 0.025;
const PRICE_PER_BYTE = 1e-12;
const SPOT_SHARE = 0.7;
const PODS_PER_CPU = 16;
const MOST_PODS = 1024;

const offeringsAt = (pricePerHour: number): readonly OfferingEntry[] =>
  ZONES.flatMap((zone) => [
    { zone, capacityType: 'spot', pricePerHour: pricePerHour * SPOT_SHARE, labels: {} },
    { zone, capacityType: 'on-demand', pricePerHour, labels: {} },
  ]);

const memoryText = (gib: number): string => (gib % 1024 === 0 ? `${gib / 1024}Ti` : `${gib}Gi`);

/**
 * The 144 instance types that the original's kwok provider brings: 12 sizes × 3 families × 2 systems × 2 architectures,
 * each in 4 zones as spot and on demand. Prices in dollars. Source: sizes, names and prices of
 * `kwok/cloudprovider/instance_types.json` in kubernetes-sigs/karpenter.
 */
export const genericTypes = (): readonly InstanceTypeEntry[] =>
  CPUS.flatMap((cpus) =>
    Object.entries(FAMILIES).flatMap(([family, gibPerCpu]) =>
      SYSTEMS.flatMap((operatingSystem) =>
        ARCHITECTURES.map((architecture) => ({
          ...{ name: `${family}-${cpus}x-${architecture}-${operatingSystem}`, architecture, operatingSystem },
          resources: {
            cpu: String(cpus),
            memory: memoryText(cpus * gibPerCpu),
            'ephemeral-storage': '20Gi',
            pods: String(Math.min(PODS_PER_CPU * cpus, MOST_PODS)),
          },
          offerings: offeringsAt(cpus * PRICE_PER_CPU + cpus * gibPerCpu * GIB * PRICE_PER_BYTE),
        })),
      ),
    ),
  );
