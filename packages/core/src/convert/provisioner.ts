import { capacityTypes, defaultLabelCatalog, labels as names } from '../apis/index.ts';
import { formatDuration, wholeNumberIn } from '../base/index.ts';
import {
  asList,
  asObject,
  carriedAnnotations,
  carriedLabels,
  carriedMetadata,
  leftOut,
  nodePoolManifest,
  without,
  withoutEmpty,
} from './conversion.ts';
import type { Conversion, ConversionNote, Converter, DefaultNodeClass, Manifest, ManifestShape } from './conversion.ts';

/** What v1alpha5 took for granted about a label that no requirement and no label of the Provisioner spoke of. */
const takenForGranted = { [names.capacityType]: capacityTypes.onDemand, [names.arch]: 'amd64', [names.os]: 'linux' };

interface Part {
  readonly value: Manifest;
  readonly notes: readonly ConversionNote[];
}

/** As many seconds as a Go duration can hold. */
const SECONDS = { min: 0, max: 9_223_372_036 };

/** Seconds, as a number or as a text that is one; undefined for anything else. */
const seconds = (value: unknown): string | undefined => {
  const count = typeof value === 'number' || typeof value === 'string' ? wholeNumberIn(String(value), SECONDS) : undefined;
  return count === undefined ? undefined : formatDuration(count * 1000);
};

/** A note for each lifetime that is not a number of seconds: nothing of it is carried over. */
const unreadable = (spec: Manifest): readonly ConversionNote[] =>
  ['ttlSecondsAfterEmpty', 'ttlSecondsUntilExpired']
    .filter((name) => spec[name] !== undefined && spec[name] !== null && seconds(spec[name]) === undefined)
    .map((name) => ({ field: `spec.${name}`, note: `left out: ${JSON.stringify(spec[name])} is no number of seconds` }));

const requirementsOf = (spec: Manifest): { readonly requirements: readonly unknown[]; readonly notes: readonly ConversionNote[] } => {
  const written = asList(spec['requirements']);
  const named = [...written.map((requirement) => asObject(requirement)['key']), ...Object.keys(asObject(spec['labels']))];
  const spoken = new Set(named.map((key) => defaultLabelCatalog.normalizedKeys.get(String(key)) ?? key));
  const added = Object.entries(takenForGranted).filter(([key]) => !spoken.has(key));
  return {
    requirements: [...written, ...added.map(([key, value]) => ({ key, operator: 'In', values: [value] }))],
    notes: added.map(([key, value]) => ({
      field: 'spec.requirements',
      note: `${key} In [${value}] added: v1alpha5 took it for granted, v1 would launch any`,
    })),
  };
};

/** An empty node went after so many seconds; or every node that did not pay; or none. */
const disruptionOf = ({ ttlSecondsAfterEmpty, consolidation }: Manifest): Part => {
  const notes = [{ field: 'spec', note: 'v1 disrupts at most 10 % of a pool at a time; say otherwise in spec.disruption.budgets' }];
  if (asObject(consolidation)['enabled'] === true) {
    const both = { field: 'spec.ttlSecondsAfterEmpty', note: 'left out: consolidation is enabled, and deletes empty nodes too' };
    return {
      value: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
      notes: ttlSecondsAfterEmpty === undefined ? notes : [...notes, both],
    };
  }
  return { value: { consolidationPolicy: 'WhenEmpty', consolidateAfter: seconds(ttlSecondsAfterEmpty) ?? 'Never' }, notes };
};

const templateOf = (spec: Manifest, nodeClass: DefaultNodeClass): Part => {
  const { labels, annotations, taints, startupTaints, providerRef, provider, kubeletConfiguration, ttlSecondsUntilExpired } = spec;
  const carried = carriedAnnotations('spec.annotations', annotations);
  const onNodes = carriedLabels('spec.labels', labels);
  const metadata = withoutEmpty({ labels: onNodes.carried, annotations: carried.carried });
  const reference = nodeClassReference('spec.providerRef', providerRef, nodeClass);
  const { requirements, notes } = requirementsOf(spec);
  const inlined = { field: 'spec.provider', note: `left out: how machines are made stands in an object of its own, ${nodeClass.kind}` };
  return {
    value: {
      ...withoutEmpty({ metadata }),
      spec: {
        requirements,
        ...withoutEmpty({ taints, startupTaints, nodeClassRef: reference.nodeClassRef }),
        expireAfter: seconds(ttlSecondsUntilExpired) ?? 'Never',
      },
    },
    notes: [
      ...onNodes.notes,
      ...carried.notes,
      ...notes,
      ...reference.notes,
      ...(provider === undefined ? [] : [inlined]),
      ...kubeletNotes('spec.kubeletConfiguration', kubeletConfiguration, nodeClass),
    ],
  };
};

const KNOWN = [
  'annotations',
  'consolidation',
  'kubeletConfiguration',
  'labels',
  'limits',
  'provider',
  'providerRef',
  'requirements',
  'startupTaints',
  'taints',
  'ttlSecondsAfterEmpty',
  'ttlSecondsUntilExpired',
  'weight',
];

const convert = (provisioner: Manifest, nodeClass: DefaultNodeClass): Conversion => {
  const spec = asObject(provisioner['spec']);
  const metadata = carriedMetadata(provisioner['metadata']);
  const template = templateOf(spec, nodeClass);
  const disruption = disruptionOf(spec);
  // No weight at all is what 0 was; v1 takes 1 and more.
  const weight = spec['weight'] === 0 ? undefined : spec['weight'];
  return {
    manifest: nodePoolManifest(metadata.carried, {
      template: template.value,
      disruption: disruption.value,
      ...withoutEmpty({ limits: asObject(spec['limits'])['resources'], weight }),
    }),
    notes: [
      ...metadata.notes,
      ...template.notes,
      ...disruption.notes,
      ...unreadable(spec),
      ...leftOut('spec.limits', without(asObject(spec['limits']), ['resources'])),
      ...leftOut('spec.consolidation', without(asObject(spec['consolidation']), ['enabled'])),
      ...leftOut('spec', without(spec, KNOWN)),
    ],
  };
};

/** Provisioner v1alpha5 → NodePool v1, with what v1alpha5 took for granted written down. */
export const provisionerV1alpha5 = (nodeClass: DefaultNodeClass): Converter => ({
  apiVersion: 'karpenter.sh/v1alpha5',
  kind: 'Provisioner',
  shapes: {
    metadata: 'object',
    spec: 'object',
    'spec.labels': 'object',
    'spec.annotations': 'object',
    'spec.limits': 'object',
    'spec.consolidation': 'object',
    'spec.providerRef': 'object',
    'spec.requirements': 'list',
    'spec.taints': 'list',
    'spec.startupTaints': 'list',
  },
  convert: (provisioner) => convert(provisioner, nodeClass),
});

interface Reference {
  readonly nodeClassRef: Manifest | undefined;
  readonly notes: readonly ConversionNote[];
}

const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';

/** `{apiVersion?, kind?, name}` as `{group, kind, name}`; what it does not say is the provider's own NodeClass. */
const nodeClassReference = (path: string, reference: unknown, { group, kind }: DefaultNodeClass): Reference => {
  const { apiVersion, kind: named, name, ...unknown } = asObject(reference);
  if (typeof name !== 'string') {
    const missing = { field: path, note: `is missing: name the ${kind} that says how machines are made`, mustBeMended: true } as const;
    return { nodeClassRef: undefined, notes: [missing] };
  }
  const nodeClassRef = {
    group: typeof apiVersion === 'string' ? groupOf(apiVersion) : group,
    kind: typeof named === 'string' ? named : kind,
    name,
  };
  const isForeign = nodeClassRef.group !== group || nodeClassRef.kind !== kind;
  const note = `names ${nodeClassRef.kind} ${name} of ${nodeClassRef.group}: write ${kind} ${name} in its place`;
  const notes = leftOut(path, unknown);
  return isForeign ? { nodeClassRef: { group, kind, name }, notes: [{ field: path, note }, ...notes] } : { nodeClassRef, notes };
};

interface Template {
  readonly spec: Manifest;
  readonly notes: readonly ConversionNote[];
}

/** The kubelet's settings have gone to the NodeClass, where each kind has fields of its own. */
const kubeletNotes = (path: string, kubelet: unknown, { kind }: DefaultNodeClass): readonly ConversionNote[] =>
  kubelet === undefined
    ? []
    : [{ field: path, note: `left out: kubelet settings are part of the ${kind} now (spec.kubelet): ${JSON.stringify(kubelet)}` }];

/** What is to be where v1beta1 spoke of machines. */
export const machineShapes = (path: string): Readonly<Record<string, ManifestShape>> => ({
  [path]: 'object',
  [`${path}.requirements`]: 'list',
  [`${path}.taints`]: 'list',
  [`${path}.startupTaints`]: 'list',
  [`${path}.nodeClassRef`]: 'object',
});

/** What v1beta1 said about machines, in a NodePool's template or in a NodeClaim. */
export const machineTemplate = (path: string, spec: Manifest, nodeClass: DefaultNodeClass): Template => {
  const { requirements = [], taints, startupTaints, nodeClassRef, terminationGracePeriod, kubelet, ...unknown } = spec;
  const reference = nodeClassReference(`${path}.nodeClassRef`, nodeClassRef, nodeClass);
  return {
    spec: {
      requirements,
      ...withoutEmpty({ taints, startupTaints, nodeClassRef: reference.nodeClassRef, terminationGracePeriod }),
    },
    notes: [...reference.notes, ...kubeletNotes(`${path}.kubelet`, kubelet, nodeClass), ...leftOut(path, unknown)],
  };
};
