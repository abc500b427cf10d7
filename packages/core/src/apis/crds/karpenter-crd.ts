import { GROUP } from '../names.ts';
import type { CrdVersion, CustomResourceDefinition, PrinterColumn } from './custom-resource-definition.ts';
import type { JsonSchema } from './json-schema.ts';

interface KarpenterKind {
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly version: string;
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: NonNullable<CrdVersion['subresources']>['scale'];
  readonly spec: JsonSchema;
  readonly status: JsonSchema;
}

/** The CRD of a kind of Karpenter's own group, with one version: for the whole cluster, its status a subresource. */
export const karpenterCrd = ({
  kind,
  shortNames,
  version,
  description,
  columns,
  scale,
  spec,
  status,
}: KarpenterKind): CustomResourceDefinition => {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { categories: ['karpenter'], kind, listKind: `${kind}List`, plural, ...(shortNames && { shortNames }), singular },
      scope: 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          subresources: { ...(scale && { scale }), status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description,
              required: ['spec'],
              properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec, status },
            },
          },
        },
      ],
    },
  };
};
