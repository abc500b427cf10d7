import { readFileSync } from 'node:fs';
import type { Pod } from '@karpenter/core';
import { aPod, awayFrom, inZone, labelled, nextTo, preferring, ratherAwayFrom, requesting, spreadOver } from '@karpenter/testkit';
import type { PodTrait } from '@karpenter/testkit';
import { inputRandom } from './random.ts';

const MIB = 1024 ** 2;
const cpus = [100, 250, 500, 1000, 1500];
const memories = [100, 256, 512, 1024, 2048, 4096];
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const openb = new URL('../../../data/openb-pod-sizes.json', import.meta.url);

const times = (count: number, make: () => Pod): readonly Pod[] => Array.from({ length: count }, make);

/** The generic fifth of the original's benchmark mix: five cpu sizes, six memory sizes, a label of seven values. */
export const genericPods = (count: number, seed = 42): readonly Pod[] => {
  const random = inputRandom(seed);
  return times(count, () =>
    aPod(
      labelled({ 'my-label': random.oneOf(letters) }),
      requesting({ cpuMillis: random.oneOf(cpus), memoryBytes: random.oneOf(memories) * MIB }),
    ),
  );
};

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';

/**
 * The original's benchmark mix, in fifths: generic, spread over zones, spread over hosts, next to their own kind in one
 * zone, and one to a host. A spread's selector is drawn for itself, so that most pods do not count themselves.
 */
export const mixedPods = (count: number, seed = 42): readonly Pod[] => {
  const random = inputRandom(seed);
  const size = (): PodTrait => requesting({ cpuMillis: random.oneOf(cpus), memoryBytes: random.oneOf(memories) * MIB });
  const letter = (): PodTrait => labelled({ 'my-label': random.oneOf(letters) });
  const spread = (topologyKey: string): PodTrait =>
    spreadOver({
      topologyKey,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { 'my-label': random.oneOf(letters) } },
    });
  const companion = (): Pod => {
    const own = { 'my-affinity': random.oneOf(letters) };
    return aPod(size(), labelled(own), nextTo({ topologyKey: zone, labelSelector: { matchLabels: own } }));
  };
  const kinds: readonly (() => Pod)[] = [
    () => aPod(size(), letter()),
    () => aPod(size(), letter(), spread(zone)),
    () => aPod(size(), letter(), spread(hostname)),
    companion,
    () => solitaryPod(size()),
  ];
  return Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] ?? companion)());
};

const solitaryPod = (size: PodTrait): Pod =>
  aPod(size, labelled({ app: 'nginx' }), awayFrom({ topologyKey: hostname, labelSelector: { matchLabels: { app: 'nginx' } } }));

/** Pods that share no host with each other. */
export const solitaryPods = (count: number): readonly Pod[] => {
  const random = inputRandom(17);
  return times(count, () => solitaryPod(requesting({ cpuMillis: random.oneOf(cpus), memoryBytes: random.oneOf(memories) * MIB })));
};

/** The same sizes, and every third pod tied to one of the zones. */
export const zonedPods = (count: number, zones: readonly string[]): readonly Pod[] => {
  const random = inputRandom(7);
  return times(count, () => {
    const size = requesting({ cpuMillis: random.oneOf(cpus), memoryBytes: random.oneOf(memories) * MIB });
    return random.below(3) === 0 ? aPod(size, inZone(random.oneOf(zones))) : aPod(size);
  });
};

/** Equal pods that would like one zone, and to share neither zone (which cannot be) nor host with each other. */
export const preferringPods = (count: number): readonly Pod[] => {
  const each = { labelSelector: { matchLabels: { app: 'nginx' } } };
  return times(count, () =>
    aPod(
      requesting({ cpuMillis: 500, memoryBytes: 512 * MIB }),
      labelled({ app: 'nginx' }),
      preferring(1, { matchExpressions: [{ key: zone, operator: 'In', values: ['test-zone-1'] }] }),
      ratherAwayFrom(10, { topologyKey: zone, ...each }),
      ratherAwayFrom(1, { topologyKey: hostname, ...each }),
    ),
  );
};

/** Sizes as they are found in the wild: a median of half a cpu and 1 GiB, a long tail, no two alike. */
export const logNormalPods = (count: number): readonly Pod[] => {
  const random = inputRandom(11);
  return times(count, () => {
    const cpuMillis = Math.min(16_000, Math.max(10, Math.round(random.logNormal(Math.log(500), 1))));
    const memoryMiB = Math.min(65_536, Math.max(16, Math.round(cpuMillis * random.logNormal(Math.log(2), 0.8))));
    return aPod(requesting({ cpuMillis, memoryBytes: memoryMiB * MIB }));
  });
};

/** Sizes of a production cluster, each as often as there (its GPUs left aside), drawn with the same odds. */
export const openbPods = (count: number): readonly Pod[] => {
  const random = inputRandom(13);
  const { sizes } = JSON.parse(readFileSync(openb, 'utf8')) as { readonly sizes: readonly (readonly [number, number, number, number])[] };
  const drawn = sizes.flatMap(([cpuMillis, memoryMiB, , often]) =>
    Array.from({ length: often }, () => requesting({ cpuMillis, memoryBytes: memoryMiB * MIB })),
  );
  return times(count, () => aPod(random.oneOf(drawn)));
};
