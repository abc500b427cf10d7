import { asObject, carriedMetadata, type Converter, leftOut, without } from '@karpenter/core/convert';
import { aksNodeClassCrd } from '../apis/index.ts';

const version = aksNodeClassCrd.spec.versions.find(({ storage }) => storage);
const known = Object.keys(version?.schema.openAPIV3Schema.properties?.['spec']?.properties ?? {});

/**
 * AKSNodeClass v1alpha2 → v1beta1. Both have one shape; what earlier previews of v1alpha2 had beyond it is left out,
 * and said.
 */
export const aksNodeClassV1alpha2: Converter = {
  apiVersion: 'karpenter.azure.com/v1alpha2',
  kind: 'AKSNodeClass',
  shapes: { metadata: 'object', spec: 'object' },
  convert: (nodeClass) => {
    const metadata = carriedMetadata(nodeClass['metadata']);
    const spec = asObject(nodeClass['spec']);
    const unknown = without(spec, known);
    return {
      manifest: {
        apiVersion: 'karpenter.azure.com/v1beta1',
        kind: 'AKSNodeClass',
        metadata: metadata.carried,
        spec: without(spec, Object.keys(unknown)),
      },
      notes: [...metadata.notes, ...leftOut('spec', unknown)],
    };
  },
};
