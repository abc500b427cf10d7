import type { StorageView } from '@karpenter/core/internal';
import fc from 'fast-check';
import {
  aClaim,
  aStorage,
  aStorageClass,
  aVolume,
  DISK_DRIVER,
  withClaims,
  withEphemeralVolume,
  withHostPort,
  withSidecarPort,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';

const namespaces = ['default', 'shop'];

/**
 * Claims of every sort, the same in both namespaces of the arbitraries: bound here and there, waiting, for one pod
 * only, and broken ones.
 */
export const everyStorage: StorageView = aStorage({
  claims: namespaces.flatMap((namespace) => [
    aClaim('in-zone-1', { namespace, volumeName: 'zone-1' }),
    aClaim('in-zone-2', { namespace, volumeName: 'zone-2' }),
    aClaim('in-zones-1-3', { namespace, volumeName: 'zones-1-3' }),
    aClaim('files', { namespace, volumeName: 'files' }),
    aClaim('waiting', { namespace, storageClassName: 'anywhere' }),
    aClaim('also-waiting', { namespace, storageClassName: 'anywhere' }),
    aClaim('waiting-for-zone-2', { namespace, storageClassName: 'zone-2' }),
    aClaim('alone', { namespace, volumeName: 'zone-1', accessModes: ['ReadWriteOncePod'] }),
    aClaim('at-once', { namespace, storageClassName: 'at-once' }),
    aClaim('lost', { namespace, volumeName: 'gone', phase: 'Lost' }),
  ]),
  volumes: [
    aVolume('zone-1', { zones: ['test-zone-1'] }),
    aVolume('zone-2', { labels: { 'topology.kubernetes.io/zone': 'test-zone-2' } }),
    aVolume('zones-1-3', { zones: ['test-zone-1', 'test-zone-3'] }),
    aVolume('files', { source: { csi: { driver: 'files.csi.test' } } }),
  ],
  classes: [
    aStorageClass('anywhere'),
    aStorageClass('zone-2', { zones: ['test-zone-2'] }),
    aStorageClass('at-once', { volumeBindingMode: 'Immediate' }),
  ],
});

const nothing: PodTrait = (pod) => pod;

const usable = [
  'in-zone-1',
  'in-zone-2',
  'in-zones-1-3',
  'in-zones-1-3',
  'files',
  'waiting',
  'waiting',
  'also-waiting',
  'waiting-for-zone-2',
  'at-once',
  'lost',
  'missing',
];

const ports: fc.Arbitrary<PodTrait> = fc.constantFrom(
  withHostPort(80),
  withHostPort(80),
  withHostPort(80, { hostIP: '10.0.0.1' }),
  withHostPort(80, { hostIP: '10.0.0.2' }),
  withHostPort(80, { protocol: 'UDP' }),
  withHostPort(443),
  withSidecarPort(80),
);

const someVolumes = (claims: readonly string[]): fc.Arbitrary<PodTrait> =>
  fc.oneof(
    fc.uniqueArray(fc.constantFrom(...claims), { minLength: 1, maxLength: 2 }).map((names) => withClaims(...names)),
    fc.constantFrom('anywhere', 'zone-2').map((storageClass) => withEphemeralVolume('scratch', storageClass)),
  );

const rarely = (trait: fc.Arbitrary<PodTrait>): fc.Arbitrary<PodTrait> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary: trait });

/** What pods hold of their nodes: those that are pending, and those that run; a claim for one pod is never held by two. */
export interface Holdings {
  readonly pending: fc.Arbitrary<PodTrait>;
  readonly running: fc.Arbitrary<PodTrait>;
}

const portsAndVolumes = (volumes: (claims: readonly string[]) => fc.Arbitrary<PodTrait>): Holdings => {
  const holding = (claims: readonly string[]): fc.Arbitrary<PodTrait> =>
    fc.tuple(rarely(ports), volumes(claims)).map(
      ([port, volume]): PodTrait =>
        (pod) =>
          volume(port(pod)),
    );
  return { pending: holding([...usable, 'alone']), running: holding(usable) };
};

/** Sometimes a host port, sometimes claims out of `everyStorage`. */
export const someHoldings: Holdings = portsAndVolumes((claims) => rarely(someVolumes(claims)));

/** Sometimes a host port, and always claims that can be met: out of few, so that many share one. */
export const manyVolumes: Holdings = portsAndVolumes(() =>
  someVolumes(['in-zone-1', 'in-zone-2', 'in-zones-1-3', 'files', 'waiting', 'also-waiting', 'waiting-for-zone-2']),
);

/** Mostly no limit, else few volumes of the builders' driver. */
export const someVolumeLimits: fc.Arbitrary<Readonly<Record<string, number>> | undefined> = fc.constantFrom(
  undefined,
  undefined,
  { [DISK_DRIVER]: 1 },
  { [DISK_DRIVER]: 2 },
  { [DISK_DRIVER]: 8, 'files.csi.test': 1 },
);
