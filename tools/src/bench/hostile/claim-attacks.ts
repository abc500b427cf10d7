import type { InstanceType } from '@karpenter/core';
import { type Device, deviceViewOf, type ResourceClaim, type ResourceClaimSpec } from '@karpenter/core/internal';
import { anInstanceType } from '@karpenter/testkit';
import { HOSTILE, hostilePods, range } from './attack.ts';
import type { Attack } from './attack.ts';

const DRIVER = 'gpu.example.com';

type Devices = NonNullable<ResourceClaimSpec['devices']>;
type DeviceRequest = NonNullable<Devices['requests']>[number];

/** A GPU that no other is like. */
const gpu = (index: number): Device => ({
  name: `gpu-${index}`,
  attributes: { index: { int: index }, root: { int: index % 5 }, model: { string: `model-${index % 7}` } },
  capacity: { memory: { value: `${index + 1}Gi` } },
});

/** So many types with so many unlike GPUs each. */
const gpuTypes = (count: number, gpus: number): readonly InstanceType[] =>
  range(count).map((index) => ({
    ...anInstanceType({ name: `gpu-type-${index}`, cpus: 64 }),
    dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices: range(gpus).map(gpu) }] },
  }));

/** A request for one GPU that an expression selects. */
const selecting = (name: string, expression: string): DeviceRequest => ({
  name,
  exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] },
});

const claim = (name: string, devices: Devices): ResourceClaim => ({
  metadata: { name, namespace: HOSTILE, uid: `claim-${name}` },
  spec: { devices },
});

/** Pods that use a claim of their own each, in a cluster whose types bring these GPUs. */
const claiming = (pods: number, gpus: { readonly types: number; readonly each: number }, of: (index: number) => Devices): Attack => ({
  pods: hostilePods(pods, (index) => ({ resourceClaims: [{ name: 'devices', resourceClaimName: `claim-${index}` }] })),
  instanceTypes: gpuTypes(gpus.types, gpus.each),
  devices: deviceViewOf({
    deviceClasses: [{ metadata: { name: 'gpu' }, spec: {} }],
    resourceClaims: range(pods).map((index) => claim(`claim-${index}`, of(index))),
    resourceClaimTemplates: [],
    resourceSlices: [],
  }),
});

const list = (length: number): string => `[${range(length).join()}]`;

/** True for half of the GPUs, after about as many steps as the list is long, squared. Each number makes another expression. */
const costly = (number: number, length: number): string =>
  `${list(length)}.all(a, ${list(length)}.all(b, a + b + ${number} >= 0)) && device.attributes["${DRIVER}"].index % 2 == 0`;

/** False for every GPU, after as many failures as the list is long. Each number makes another expression. */
const failing = (number: number): string => `${list(500)}.exists(a, a / 0 == ${number})`;

const OPTIONAL = 'a?'.repeat(80);

/** Letters of all scripts in both cases: of all patterns these take the longest to compile. */
const LETTERS = `(?i)${String.raw`\\pL`.repeat(60)}`;

/** Attacks by ResourceClaims. */
export const claimAttacks: Readonly<Record<string, () => Attack>> = {
  '40 pods, claims with 32 requests by expressions': () =>
    claiming(40, { types: 20, each: 16 }, (index) => ({
      requests: range(32).map((each) => selecting(`r-${each}`, costly(index * 32 + each, 6))),
    })),
  '40 pods, claims for 16 of 128 unlike GPUs that no constraint allows': () =>
    claiming(40, { types: 10, each: 128 }, (index) => ({
      requests: [
        { name: 'r', exactly: { deviceClassName: 'gpu', count: 16 } },
        { name: 's', exactly: { deviceClassName: 'gpu', count: 16 } },
        selecting('t', `device.attributes["${DRIVER}"].index >= ${index}`),
      ],
      constraints: [
        { requests: ['s'], matchAttribute: `${DRIVER}/index` },
        { requests: ['r', 's'], distinctAttribute: `${DRIVER}/index` },
      ],
    })),
  '40 pods, claims with eight requests of eight alternatives and constraints': () =>
    claiming(40, { types: 10, each: 16 }, (index) => ({
      requests: range(8).map((each) => ({
        name: `r-${each}`,
        firstAvailable: range(8).map((alternative) => ({
          ...{ name: `a-${alternative}`, deviceClassName: 'gpu', count: 1 + (alternative % 2) },
          selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].index >= ${(index + each + alternative) % 9}` } }],
        })),
      })),
      constraints: [{ matchAttribute: `${DRIVER}/root` }, { distinctAttribute: `${DRIVER}/model` }],
    })),
  '200 pods, claims whose expressions each take nearly what one pod may': () =>
    claiming(200, { types: 20, each: 16 }, (index) => ({ requests: [selecting('r', costly(index, 18))] })),
  '200 pods, claims with expressions that fail 500 times for each GPU': () =>
    claiming(200, { types: 20, each: 16 }, (index) => ({ requests: [selecting('r', `${failing(index)} || true`)] })),
  '200 pods, claims that take nearly as many tries as one pod may and are met by no type': () =>
    claiming(200, { types: 20, each: 16 }, (index) => ({
      requests: [
        { name: 'r', exactly: { deviceClassName: 'gpu', count: 3 } },
        selecting('s', `device.attributes["${DRIVER}"].index < ${-1 - index}`),
      ],
      constraints: [{ requests: ['r'], distinctAttribute: `${DRIVER}/index` }],
    })),
  '200 pods, claims with seven expressions of 9,000 characters': () =>
    claiming(200, { types: 5, each: 4 }, (index) => ({
      requests: range(7).map((each) => selecting(`r-${each}`, `${index * 7 + each} in ${list(2000)} && device.driver == "${DRIVER}"`)),
    })),
  '200 pods, claims with patterns of optional characters': () =>
    claiming(200, { types: 20, each: 16 }, (index) => ({
      requests: [selecting('r', `!"${'a'.repeat(100 + (index % 100))}".matches("${OPTIONAL}${'a'.repeat(80)}b")`)],
    })),
  '200 pods, claims with patterns that take long to compile': () =>
    claiming(200, { types: 20, each: 16 }, (index) => ({
      requests: [selecting('r', `["${LETTERS}", "${LETTERS}x{${index}}"].exists(each, "a".matches(each))`)],
    })),
};
