import { labels } from '../apis/index.ts';
import { FORMER_POOL_LABEL, asObject, renamedAnnotations } from './conversion.ts';
import type { Conversion, ConversionNote, Converter, DefaultNodeClass, Manifest, ManifestShape } from './conversion.ts';
import { provisionerV1alpha5 } from './provisioner.ts';
import { nodeClaimV1beta1, nodePoolV1beta1 } from './v1beta1.ts';

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
const formerFieldNotes = (manifest: Manifest): readonly ConversionNote[] =>
  manifest['apiVersion'] === 'karpenter.sh/v1'
    ? (formerFields.get(manifest['kind']) ?? [])
        .filter(({ path, value }) => (value === undefined ? valueAt(manifest, path) !== undefined : valueAt(manifest, path) === value))
        .map(({ path, note }) => ({ field: path.join('.'), note, mustBeMended: true }))
    : [];

const renamedTaint = 'karpenter.sh/disrupted (effect NoSchedule)';

/** What workloads may still say in words of former versions. */
const formerNames: ReadonlyMap<string, string> = new Map([
  ...renamedAnnotations,
  [FORMER_POOL_LABEL, labels.nodePool],
  ['karpenter.sh/disruption', renamedTaint],
]);

/**
 * A note wherever an object of another kind uses a name that Karpenter no longer knows, as a key or as a value. Cost:
 * one walk.
 */
const formerNameNotes = (path: string, value: unknown): readonly ConversionNote[] => {
  if (typeof value === 'string') {
    const now = formerNames.get(value);
    return now === undefined ? [] : [{ field: path, note: `${value} is ${now} now` }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => formerNameNotes(`${path}[${index}]`, item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const now = formerNames.get(key);
    const here = path === '' ? key : `${path}.${key}`;
    return [...(now === undefined ? [] : [{ field: here, note: `${key} is ${now} now` }]), ...formerNameNotes(here, item)];
  });
};

const at = (manifest: Manifest, path: string): unknown => path.split('.').reduce<unknown>((value, name) => asObject(value)[name], manifest);

const isOfShape = (value: unknown, shape: ManifestShape): boolean =>
  shape === 'list' ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);

/** A note for each field in which something else is written than what belongs there, and which no server would have taken. */
const misshapen = (manifest: Manifest, shapes: Readonly<Record<string, ManifestShape>>): readonly ConversionNote[] =>
  Object.entries(shapes).flatMap(([field, shape]) => {
    const value = at(manifest, field);
    if (value === undefined || value === null || isOfShape(value, shape)) return [];
    return [{ field, note: `is ${JSON.stringify(value)}: expected ${shape === 'list' ? 'a list' : 'an object'}`, mustBeMended: true }];
  });

const FORMER = /^karpenter\.sh\/v1(alpha5|beta1)$/;

/** A kind of Karpenter in a version that is gone, which nothing here converts: Machine v1alpha5. */
const goneNotes = ({ apiVersion, kind }: Manifest): readonly ConversionNote[] =>
  FORMER.test(String(apiVersion))
    ? [
        {
          field: 'kind',
          note: `${String(kind)} of ${String(apiVersion)} is no longer known, and was not changed: leave it out`,
          mustBeMended: true,
        },
      ]
    : [];

/**
 * The converters of core's own kinds, for a provider with this NodeClass: Provisioner `v1alpha5`, NodePool and NodeClaim
 * `v1beta1`. The class stands in for references without a group or kind.
 */
export const coreConverters = (nodeClass: DefaultNodeClass): readonly Converter[] => [
  provisionerV1alpha5(nodeClass),
  nodePoolV1beta1(nodeClass),
  nodeClaimV1beta1(nodeClass),
];

/**
 * The object in the version that is current. Current manifests and objects of other kinds come back unchanged, with a
 * note for each name and field that Karpenter no longer knows. The first converter with its `apiVersion` and `kind`
 * counts. A field of the wrong shape is no error but a note with `mustBeMended`. The given object is not changed.
 */
export const convertManifest = (manifest: Manifest, converters: readonly Converter[]): Conversion => {
  const converter = converters.find(({ apiVersion, kind }) => manifest['apiVersion'] === apiVersion && manifest['kind'] === kind);
  if (converter === undefined)
    return { manifest, notes: [...goneNotes(manifest), ...formerFieldNotes(manifest), ...formerNameNotes('', manifest)] };
  const { manifest: converted, notes } = converter.convert(manifest);
  return { manifest: converted, notes: [...misshapen(manifest, converter.shapes ?? {}), ...notes] };
};
