import type { RequirementSpec } from '@karpenter/core';
import type { NodeSelectorTerm, PersistentVolume } from '@karpenter/core/internal';
import { aClaim, aDaemonSet, aNodePool, aStorage, requesting, requiringAnyOf, tolerating } from '@karpenter/testkit';
import { HOSTILE, hostilePods, range } from './attack.ts';
import type { Attack } from './attack.ts';

const ZONE = 'topology.kubernetes.io/zone';

/** Terms of a volume's node affinity, by the name of the volume and the number of the term. */
type TermOf = (name: string, index: number) => NodeSelectorTerm;

const notInZone: TermOf = (name, index) => ({ matchExpressions: [{ key: ZONE, operator: 'NotIn', values: [`${name}-${index}`] }] });
const onRack: TermOf = (name, index) => ({
  matchExpressions: range(3).map((each) => ({ key: `example.com/${name}-${index}-${each}`, operator: 'DoesNotExist' as const })),
});

const volume = (name: string, terms: number, termOf: TermOf): PersistentVolume => ({
  metadata: { name },
  spec: {
    csi: { driver: 'disk.csi.test' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: range(terms).map((index) => termOf(name, index)),
      },
    },
  },
});

const volumesOf = (count: number, terms: number, { pods = 5, termOf = notInZone } = {}): Attack => ({
  pods: hostilePods(pods, () => ({
    volumes: range(count).map((index) => ({ name: `v-${index}`, persistentVolumeClaim: { claimName: `claim-${index}` } })),
  })),
  storage: aStorage({
    claims: range(count).map((index) =>
      aClaim(`claim-${index}`, { volumeName: `volume-${index}`, namespace: HOSTILE, accessModes: ['ReadWriteMany'] }),
    ),
    volumes: range(count).map((index) => volume(`volume-${index}`, terms, termOf)),
  }),
});

const values = (count: number): readonly string[] => range(count).map((index) => `value-${index}`);

/** Pools that come before the ordinary one, and launch what it launches. */
const poolsRequiring = (count: number, requirementsOf: (index: number) => readonly RequirementSpec[]): Attack => ({
  nodePools: range(count).map((index) => {
    const { metadata, spec } = aNodePool();
    const template = { ...spec.template, spec: { ...spec.template.spec, requirements: requirementsOf(index) } };
    return { ...aNodePool(), metadata: { ...metadata, name: `hostile-${index}` }, spec: { ...spec, weight: 100, template } };
  }),
});

/** Attacks by objects beside pods. */
export const objectAttacks: Readonly<Record<string, () => Attack>> = {
  '1 pool, a requirement with ten values': () => poolsRequiring(1, () => [{ key: ZONE, operator: 'NotIn', values: values(10) }]),
  '1 pool, a requirement with 10,000 values': () => poolsRequiring(1, () => [{ key: ZONE, operator: 'NotIn', values: values(10_000) }]),
  '20 pools, 10,000 values of a label of their own each': () =>
    poolsRequiring(20, (index) => [{ key: `example.com/rack-${index}`, operator: 'In', values: values(10_000) }]),
  '5 pods, 12 volumes of three terms each': () => volumesOf(12, 3),
  '5 pods, 2 volumes of 1,000 terms each': () => volumesOf(2, 1000),
  '5 pods, 1,000 claims each': () => volumesOf(1000, 1),
  '500 pods, 12 volumes of three terms over labels of their own': () => volumesOf(12, 3, { pods: 500, termOf: onRack }),
  '500 pods, 2 volumes of 60 terms over labels of their own': () => volumesOf(2, 60, { pods: 500, termOf: onRack }),
  '5 pods, a volume of 1.5 MB': () => volumesOf(1, 6000, { termOf: onRack }),
  '60 daemon sets of distinct sizes, 1,000 tolerations each': () => ({
    daemonSets: range(60).map((index) =>
      aDaemonSet(
        `daemon-${index}`,
        requesting({ cpuMillis: 1 + (index % 3) }),
        tolerating(...range(1000).map((each) => ({ key: `key-${each}`, operator: 'Exists' as const }))),
      ),
    ),
  }),
  '2,000 daemon sets of distinct shapes': () => ({
    daemonSets: range(2000).map((index) =>
      aDaemonSet(
        `daemon-${index}`,
        requesting({ cpuMillis: 1 }),
        requiringAnyOf({ matchExpressions: [{ key: ZONE, operator: 'In', values: [`eastus-${index + 4}`] }] }),
      ),
    ),
  }),
  '10 daemon sets of 1.5 MB: node affinity': () => ({
    daemonSets: range(10).map((index) =>
      aDaemonSet(
        `daemon-${index}`,
        requesting({ cpuMillis: 1 }),
        requiringAnyOf(...range(12_000).map((each) => notInZone(`own-${index}`, each))),
      ),
    ),
  }),
  '5 daemon sets, a selector over labels of no node, 2,000 terms': () => ({
    daemonSets: range(5).map((index) =>
      aDaemonSet(
        `daemon-${index}`,
        requesting({ cpuMillis: 1 }),
        requiringAnyOf(...range(2000).map((each) => onRack(`own-${index}`, each))),
      ),
    ),
  }),
  '20 daemon sets, 1,000 terms that no type meets': () => ({
    daemonSets: range(20).map((index) =>
      aDaemonSet(
        `daemon-${index}`,
        requesting({ cpuMillis: 1 }),
        requiringAnyOf(
          ...range(1000).map((each) => ({
            matchExpressions: [
              { key: 'kubernetes.io/arch', operator: 'NotIn' as const, values: [`x-${each}`] },
              { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [`type-${index}-${each}`] },
            ],
          })),
        ),
      ),
    ),
  }),
};
