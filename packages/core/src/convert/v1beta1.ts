import {
  asObject,
  carriedAnnotations,
  carriedLabels,
  carriedMetadata,
  leftOut,
  nodePoolManifest,
  without,
  withoutEmpty,
} from './conversion.ts';
import type { Conversion, Converter, DefaultNodeClass, Manifest } from './conversion.ts';
import { machineShapes, machineTemplate } from './provisioner.ts';

const notes = [
  {
    field: 'metadata.name',
    note: 'a NodeClaim that is created again launches a machine of its own; it does not take over the one that runs',
  },
  { field: 'spec', note: 'its lifetime was part of the NodePool (spec.disruption.expireAfter); set spec.expireAfter here, or 720h holds' },
];

/** NodeClaim v1beta1 → v1. */
export const nodeClaimV1beta1 = (nodeClass: DefaultNodeClass): Converter => ({
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodeClaim',
  shapes: { metadata: 'object', ...machineShapes('spec') },
  convert: (claim) => {
    const metadata = carriedMetadata(claim['metadata']);
    const { resources, ...machine } = asObject(claim['spec']);
    const { spec, notes: ofMachine } = machineTemplate('spec', machine, nodeClass);
    return {
      manifest: {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodeClaim',
        metadata: metadata.carried,
        spec: { ...spec, ...withoutEmpty({ resources }) },
      },
      notes: [...metadata.notes, ...notes, ...ofMachine],
    };
  },
});

const DISRUPTION = ['consolidationPolicy', 'consolidateAfter', 'budgets'];

const policies: ReadonlyMap<string, string> = new Map([['WhenUnderutilized', 'WhenEmptyOrUnderutilized']]);

/** v1beta1 took `consolidateAfter` with `WhenEmpty` only; otherwise nodes were consolidated as soon as that paid. */
const disruptionOf = ({ consolidationPolicy, consolidateAfter = '0s', budgets }: Manifest): Manifest => {
  const policy = typeof consolidationPolicy === 'string' ? consolidationPolicy : 'WhenUnderutilized';
  // No budgets at all is something else than an empty list of them: the list says that nothing limits the pool.
  return { consolidationPolicy: policies.get(policy) ?? policy, consolidateAfter, ...(budgets === undefined ? {} : { budgets }) };
};

const convert = (pool: Manifest, nodeClass: DefaultNodeClass): Conversion => {
  const { template, disruption, limits, weight, ...unknown } = asObject(pool['spec']);
  const { expireAfter, ...ofDisruption } = asObject(disruption);
  const { labels, annotations, ...ofMetadata } = asObject(asObject(template)['metadata']);
  const metadata = carriedMetadata(pool['metadata']);
  const carried = carriedAnnotations('spec.template.metadata.annotations', annotations);
  const onNodes = carriedLabels('spec.template.metadata.labels', labels);
  const { spec, notes } = machineTemplate('spec.template.spec', asObject(asObject(template)['spec']), nodeClass);
  const templateMetadata = withoutEmpty({ labels: onNodes.carried, annotations: carried.carried });
  return {
    manifest: nodePoolManifest(metadata.carried, {
      template: { ...withoutEmpty({ metadata: templateMetadata }), spec: { ...spec, ...withoutEmpty({ expireAfter }) } },
      disruption: disruptionOf(ofDisruption),
      ...withoutEmpty({ limits, weight }),
    }),
    notes: [
      ...metadata.notes,
      ...onNodes.notes,
      ...carried.notes,
      ...notes,
      ...leftOut('spec.template', without(asObject(template), ['metadata', 'spec'])),
      ...leftOut('spec.template.metadata', ofMetadata),
      ...leftOut('spec.disruption', without(ofDisruption, DISRUPTION)),
      ...leftOut('spec', unknown),
    ],
  };
};

/**
 * NodePool v1beta1 → v1: `expireAfter` moves to the template, `WhenUnderutilized` gets its present name, the kubelet
 * goes to the NodeClass.
 */
export const nodePoolV1beta1 = (nodeClass: DefaultNodeClass): Converter => ({
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodePool',
  shapes: {
    metadata: 'object',
    spec: 'object',
    'spec.limits': 'object',
    'spec.disruption': 'object',
    'spec.disruption.budgets': 'list',
    'spec.template': 'object',
    'spec.template.metadata': 'object',
    ...machineShapes('spec.template.spec'),
  },
  convert: (pool) => convert(pool, nodeClass),
});
