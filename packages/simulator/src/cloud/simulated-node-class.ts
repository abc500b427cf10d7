import type { Condition } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';

/** What the simulated cloud makes machines from: an image, and tags that they carry. */
export interface SimulatedNodeClass extends ApiObject {
  readonly spec?: { readonly image?: string; readonly tags?: Readonly<Record<string, string>> };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export const simulatedNodeClasses: KindRef<SimulatedNodeClass> = { kind: 'SimulatedNodeClass', apiVersion: 'karpenter.simulated.test/v1' };

/** The CustomResourceDefinition of SimulatedNodeClass. */
export const SIMULATED_NODE_CLASS_CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: simulatednodeclasses.karpenter.simulated.test
spec:
  group: karpenter.simulated.test
  scope: Cluster
  names:
    kind: SimulatedNodeClass
    listKind: SimulatedNodeClassList
    plural: simulatednodeclasses
    singular: simulatednodeclass
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              properties:
                image:
                  description: Machines made from another image than this have drifted.
                  type: string
                  default: v1
                tags:
                  description: Machines carry them; those that run are brought to them in place.
                  type: object
                  additionalProperties: { type: string }
            status:
              type: object
              x-kubernetes-preserve-unknown-fields: true
`;

export const simulatedNodeClassKind = {
  group: 'karpenter.simulated.test',
  version: 'v1',
  kind: 'SimulatedNodeClass',
  plural: 'simulatednodeclasses',
} as const;
