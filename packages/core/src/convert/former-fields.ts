import type { ConversionNote } from './conversion.ts';
import { asObject } from './manifest.ts';
import type { Manifest } from './manifest.ts';

interface FormerField {
  readonly path: readonly string[];
  readonly note: string;
  /** Absent: whatever it says. */
  readonly value?: string;
}

const toNodeClass = 'kubelet settings are part of the NodeClass now (spec.kubelet)';
const toGroup = 'is group now, without the version';

const ofPool: readonly FormerField[] = [
  { path: ['spec', 'disruption', 'expireAfter'], note: 'is spec.template.spec.expireAfter now' },
  {
    path: ['spec', 'disruption', 'consolidationPolicy'],
    value: 'WhenUnderutilized',
    note: 'WhenUnderutilized is WhenEmptyOrUnderutilized now',
  },
  { path: ['spec', 'template', 'spec', 'kubelet'], note: toNodeClass },
  { path: ['spec', 'template', 'spec', 'nodeClassRef', 'apiVersion'], note: toGroup },
];

const ofClaim: readonly FormerField[] = [
  { path: ['spec', 'kubelet'], note: toNodeClass },
  { path: ['spec', 'nodeClassRef', 'apiVersion'], note: toGroup },
];

const formerFields: ReadonlyMap<unknown, readonly FormerField[]> = new Map([
  ['NodePool', ofPool],
  ['NodeClaim', ofClaim],
]);

const valueAt = (manifest: Manifest, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, member) => asObject(value)[member], manifest);

/**
 * A note for each field of a current NodePool or NodeClaim that stands where v1beta1 had it: an object that was
 * migrated in part.
 */
export const formerFieldNotes = (manifest: Manifest): readonly ConversionNote[] =>
  manifest['apiVersion'] === 'karpenter.sh/v1'
    ? (formerFields.get(manifest['kind']) ?? [])
        .filter(({ path, value }) => (value === undefined ? valueAt(manifest, path) !== undefined : valueAt(manifest, path) === value))
        .map(({ path, note }) => ({ field: path.join('.'), note, mustBeMended: true }))
    : [];
