import type { PersistentVolume } from '@karpenter/core';
import { aClaim, aDaemonSet, aStorage, requesting, tolerating } from '@karpenter/testkit';
import { HOSTILE, hostilePods, range } from './attack.ts';
import type { Attack } from './attack.ts';

const ZONE = 'topology.kubernetes.io/zone';

const volume = (name: string, terms: number): PersistentVolume => ({
  metadata: { name },
  spec: {
    csi: { driver: 'disk.csi.test' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: range(terms).map((index) => ({
          matchExpressions: [{ key: ZONE, operator: 'NotIn', values: [`${name}-${index}`] }],
        })),
      },
    },
  },
});

const volumesOf = (count: number, terms: number): Attack => ({
  pods: hostilePods(5, () => ({
    volumes: range(count).map((index) => ({ name: `v-${index}`, persistentVolumeClaim: { claimName: `claim-${index}` } })),
  })),
  storage: aStorage({
    claims: range(count).map((index) =>
      aClaim(`claim-${index}`, { volumeName: `volume-${index}`, namespace: HOSTILE, accessModes: ['ReadWriteMany'] }),
    ),
    volumes: range(count).map((index) => volume(`volume-${index}`, terms)),
  }),
});

/** Attacks by objects beside pods. */
export const objectAttacks: Readonly<Record<string, () => Attack>> = {
  '5,000 disruption budgets over everything': () => ({
    podDisruptionBudgets: range(5000).map((index) => ({
      metadata: { name: `budget-${index}`, namespace: index % 2 === 0 ? 'shop' : 'default' },
      spec: { minAvailable: '100%', selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [`app-${index}`] }] } },
      status: { disruptionsAllowed: 0 },
    })),
  }),
  '5 pods, 12 volumes of three terms each': () => volumesOf(12, 3),
  '5 pods, 2 volumes of 1,000 terms each': () => volumesOf(2, 1000),
  '5 pods, 1,000 claims each': () => volumesOf(1000, 1),
  '60 daemon sets of distinct sizes, 1,000 tolerations each': () => ({
    daemonSets: range(60).map((index) =>
      aDaemonSet(
        `daemon-${index}`,
        requesting({ cpuMillis: 1 + (index % 3) }),
        tolerating(...range(1000).map((each) => ({ key: `key-${each}`, operator: 'Exists' as const }))),
      ),
    ),
  }),
};
