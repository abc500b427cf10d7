import type { Converter, DefaultNodeClass } from './conversion.ts';
import { machineShapes, machineTemplate } from './machine-template.ts';
import { asObject, withoutEmpty } from './manifest.ts';
import { carriedMetadata } from './metadata.ts';

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
