import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import type { NodeSelectorTerm, PersistentVolume, StorageClass } from '../../kube/index.ts';
import { defaultLabelCatalog } from '../../requirements/index.ts';
import { isTooComplex } from '../rejection/rejection.ts';
import { alternativesOfClass, alternativesOfVolume, isRefused } from './volume-alternatives.ts';
import type { ReadAlternatives } from './volume-alternatives.ts';

const textsOf = (found: ReadAlternatives): readonly string[] =>
  isRefused(found) ? [isTooComplex(found) ? found.largest : found.problem] : found.map(requirementsText);

type Source = Omit<NonNullable<PersistentVolume['spec']>, 'nodeAffinity'>;

const volumeIn = (
  terms: readonly NodeSelectorTerm[],
  { labels: own = {}, ...source }: Source & { readonly labels?: Readonly<Record<string, string>> } = {},
): PersistentVolume => ({
  metadata: { name: 'v', labels: own },
  spec: { ...source, nodeAffinity: { required: { nodeSelectorTerms: terms } } },
});
const reachedFrom = (volume: PersistentVolume): readonly string[] => textsOf(alternativesOfVolume(volume, defaultLabelCatalog));

const onHost: NodeSelectorTerm = {
  matchExpressions: [
    { key: labels.hostname, operator: 'In', values: ['n1'] },
    { key: 'disk', operator: 'In', values: ['fast'] },
  ],
};
const zoneTerm = (...values: readonly string[]): NodeSelectorTerm => ({ matchExpressions: [{ key: labels.zone, operator: 'In', values }] });
const malformed: NodeSelectorTerm = { matchExpressions: [{ key: 'disk', operator: 'In', values: [] }] };

describe('from where a volume is reached', () => {
  test.each<[string, PersistentVolume, readonly string[]]>([
    ['from anywhere, where it says nothing', { metadata: { name: 'v' } }, ['']],
    ['from anywhere, with a source alone', { metadata: { name: 'v' }, spec: { hostPath: {} } }, ['']],
    ['from anywhere, with an affinity that requires nothing', { metadata: { name: 'v' }, spec: { nodeAffinity: {} } }, ['']],
    ['from anywhere, for a term without expressions', volumeIn([{}]), ['']],
    ['from nowhere, where there is no term', volumeIn([]), []],
    [
      'from any of the zones of a joined label',
      { metadata: { name: 'v', labels: { [labels.zone]: 'z1__z2' } } },
      [`${labels.zone} in ["z1","z2"]`],
    ],
    [
      'from the zone of the label of old',
      { metadata: { name: 'v', labels: { 'failure-domain.beta.kubernetes.io/zone': 'z1' } } },
      [`${labels.zone} in ["z1"]`],
    ],
    [
      'from each term within the zones of its labels, each once',
      volumeIn([zoneTerm('z1', 'z2'), zoneTerm('z2', 'z3')], { labels: { [labels.zone]: 'z2' } }),
      [`${labels.zone} in ["z2"]`],
    ],
    ['from the host that it names', volumeIn([onHost], { csi: { driver: 'd' } }), ['disk in ["fast"]\n' + `${labels.hostname} in ["n1"]`]],
    ['from any host, where it is a local disk', volumeIn([onHost], { local: {} }), ['disk in ["fast"]']],
    ['from any host, where it is a path of the host', volumeIn([onHost], { hostPath: {} }), ['disk in ["fast"]']],
  ])('%s', (_, volume, expected) => {
    expect(reachedFrom(volume)).toEqual(expected);
  });

  test('is not computed for a volume with more terms than planning has time for: the reason names the figure', () => {
    const many = Array.from({ length: 2000 }, (_, index) => zoneTerm(`z${index}`));
    expect(alternativesOfVolume(volumeIn(many), defaultLabelCatalog)).toMatchObject({
      ...{ kind: 'too-complex', units: 22_600, most: 20_000 },
      largest: '2,000 terms of PersistentVolume v',
    });
  });

  test('are unknown where a term is malformed; the problem names the volume', () => {
    const field: unknown = expect.stringContaining('PersistentVolume v spec.nodeAffinity');
    expect(alternativesOfVolume(volumeIn([zoneTerm('z1'), malformed]), defaultLabelCatalog)).toMatchObject({ field });
  });
});

const storageClassWith = (allowedTopologies?: StorageClass['allowedTopologies']): StorageClass => ({
  metadata: { name: 'c' },
  provisioner: 'd',
  ...(allowedTopologies === undefined ? {} : { allowedTopologies }),
});
const allowing = (key: string, ...values: readonly string[]) => ({ matchLabelExpressions: [{ key, values }] });
const catalog = { ...defaultLabelCatalog, wellKnown: new Set(['zeta', labels.zone, 'alpha']) };

describe('where a class allows volumes', () => {
  test.each<[string, StorageClass, readonly string[]]>([
    ['anywhere, where it says nothing', storageClassWith(), ['']],
    ['anywhere, for an empty list', storageClassWith([]), ['']],
    ['anywhere, for a topology without expressions', storageClassWith([{}]), ['']],
    [
      'in each topology',
      storageClassWith([allowing(labels.zone, 'z1', 'z2'), allowing('alpha', 'a')]),
      [`${labels.zone} in ["z1","z2"]`, 'alpha in ["a"]'],
    ],
  ])('%s', (_, storageClass, expected) => {
    expect(textsOf(alternativesOfClass(storageClass, catalog))).toEqual(expected);
  });

  test('in a topology of a label that is not well known: pools and nodes may carry it', () => {
    expect(textsOf(alternativesOfClass(storageClassWith([allowing('rack', 'r1')]), catalog))).toEqual(['rack in ["r1"]']);
  });

  test('is a problem where a topology is malformed; it names the class', () => {
    const field: unknown = expect.stringContaining('StorageClass c allowedTopologies');
    expect(alternativesOfClass(storageClassWith([allowing(labels.zone)]), catalog)).toMatchObject({ field });
  });
});
