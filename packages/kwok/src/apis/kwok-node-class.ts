import { type CustomResourceDefinition, type JsonSchema, type NodeClassKind, durationMs } from '@karpenter/core';
import type { NodeClass } from '@karpenter/core/provider-kit';
import { KWOK_GROUP } from './kwok-names.ts';

/** An offering, or several: what is left out matches every value. */
export interface SoldOut {
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
}

/** How often machines fail, in percent. Left out: never. */
export interface KwokFailures {
  /** Of launches that are refused for want of capacity. */
  readonly outOfStockPercent?: number;
  /** Of machines that are accepted and whose node never joins. */
  readonly neverJoinsPercent?: number;
  /** Of machines that vanish within an hour of their creation; as many of the rest in each further hour. */
  readonly vanishesPercentPerHour?: number;
  /** Offerings that are out of stock. */
  readonly soldOut?: readonly SoldOut[];
}

/** karpenter.kwok.sh KWOKNodeClass as plain JSON. `nodeRegistrationDelay` is the original's; the rest is of this provider. */
export interface KWOKNodeClass extends NodeClass {
  readonly spec?: {
    readonly nodeRegistrationDelay?: string;
    readonly image?: string;
    readonly failures?: KwokFailures;
  };
}

export const kwokNodeClassKind: NodeClassKind = {
  group: KWOK_GROUP,
  version: 'v1alpha1',
  kind: 'KWOKNodeClass',
  plural: 'kwoknodeclasses',
};

/** How long machines take from the launch until their node joins. Infinity where that is longer than any duration. */
export const bootMsOf = ({ spec }: KWOKNodeClass): number => durationMs(spec?.nodeRegistrationDelay ?? '0s') ?? Infinity;

const percent = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, maximum: 100, description });

const text = (description: string): JsonSchema => ({ type: 'string', description });

const failures: JsonSchema = {
  type: 'object',
  description:
    'How often machines fail, to try out what Karpenter does then. The name of a NodeClaim decides, so that a repeat has the same outcome.',
  properties: {
    outOfStockPercent: percent('Launches that are refused for want of capacity.'),
    neverJoinsPercent: percent('Machines that are accepted and whose node never joins.'),
    vanishesPercentPerHour: percent('Machines that vanish within an hour of their creation; as many of the rest in each further hour.'),
    soldOut: {
      type: 'array',
      maxItems: 100,
      description:
        'Offerings that are out of stock. A launch finds this out when it tries; the offering is then skipped for three minutes.',
      items: {
        type: 'object',
        properties: {
          instanceType: text('Absent: every instance type.'),
          zone: text('Absent: every zone.'),
          capacityType: text('Absent: spot and on-demand.'),
        },
      },
    },
  },
};

const schema: JsonSchema = {
  type: 'object',
  description: 'KWOKNodeClass says how machines of a NodePool behave whose nodes kwok keeps alive.',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        nodeRegistrationDelay: {
          type: 'string',
          maxLength: 100,
          pattern: '^([0-9]+(s|m|h))+$',
          description: 'How long a machine takes from its launch until its node joins. Default 0s.',
        },
        image: {
          type: 'string',
          maxLength: 253,
          description: 'What machines are said to be made from. Machines made from another one drift.',
        },
        failures,
      },
    },
    status: {
      type: 'object',
      default: {
        conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2024-01-01T01:01:01Z' }],
      },
      properties: {
        conditions: {
          type: 'array',
          items: {
            type: 'object',
            required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
            properties: {
              type: { type: 'string' },
              status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
              reason: { type: 'string' },
              message: { type: 'string' },
              lastTransitionTime: { type: 'string', format: 'date-time' },
              observedGeneration: { type: 'integer', format: 'int64' },
            },
          },
        },
      },
    },
  },
};

/**
 * The CustomResourceDefinition of KWOKNodeClass. There is nothing to find out about a class, so it is Ready from the start.
 */
export const kwokNodeClassCrd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `kwoknodeclasses.${KWOK_GROUP}` },
  spec: {
    group: KWOK_GROUP,
    names: {
      categories: ['karpenter'],
      kind: 'KWOKNodeClass',
      listKind: 'KWOKNodeClassList',
      plural: 'kwoknodeclasses',
      shortNames: ['kwoknc', 'kwokncs'],
      singular: 'kwoknodeclass',
    },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
};
