import { labels } from '../names.ts';
import type { CustomResourceDefinition, JsonSchema, LabelRules, PrinterColumn } from './custom-resource-definition.ts';
import {
  conditionsSchema,
  durationOrNeverSchema,
  durationSchema,
  LABEL_VALUE,
  lifeDescriptions,
  nodeClassRefSchema,
  requirementsSchema,
  resourceListSchema,
  taintsSchema,
} from './field-schemas.ts';
import { karpenterCrd, noLabelRules, ownKeyRules } from './custom-resource-definition.ts';

const labelPath = (key: string): string => `.metadata.labels.${key.replaceAll('.', String.raw`\.`)}`;

const columns: readonly PrinterColumn[] = [
  { name: 'Type', type: 'string', jsonPath: labelPath(labels.instanceType) },
  { name: 'Capacity', type: 'string', jsonPath: labelPath(labels.capacityType) },
  { name: 'Zone', type: 'string', jsonPath: labelPath(labels.zone) },
  { name: 'Node', type: 'string', jsonPath: '.status.nodeName' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'ImageID', type: 'string', jsonPath: '.status.imageID', priority: 1 },
  { name: 'ID', type: 'string', jsonPath: '.status.providerID', priority: 1 },
  { name: 'NodePool', type: 'string', jsonPath: labelPath(labels.nodePool), priority: 1 },
  { name: 'NodeClass', type: 'string', jsonPath: '.spec.nodeClassRef.name', priority: 1 },
  { name: 'Drifted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Drifted")].status', priority: 1 },
];

const specSchema = (rules: LabelRules): JsonSchema => ({
  type: 'object',
  description: 'The machine that is wanted. Never changes.',
  required: ['nodeClassRef', 'requirements'],
  properties: {
    taints: taintsSchema(lifeDescriptions.taints),
    startupTaints: taintsSchema(lifeDescriptions.startupTaints),
    // A machine is made with them as labels.
    requirements: requirementsSchema([...ownKeyRules('self'), ...rules.requirementKey], { pattern: LABEL_VALUE }),
    resources: {
      type: 'object',
      description: 'The resources that the machine must offer.',
      properties: { requests: resourceListSchema('The least that the machine must offer to pods.') },
    },
    nodeClassRef: nodeClassRefSchema(),
    expireAfter: durationOrNeverSchema(lifeDescriptions.expireAfter, '720h'),
    terminationGracePeriod: durationSchema(lifeDescriptions.terminationGracePeriod),
  },
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'spec is immutable' }],
});

const statusSchema: JsonSchema = {
  type: 'object',
  description: 'The observed state of the machine.',
  properties: {
    nodeName: { type: 'string', description: 'The node that the machine became.' },
    providerID: { type: 'string', description: 'The ID of the machine at the cloud provider.' },
    imageID: { type: 'string', description: 'The image that the machine was started from.' },
    capacity: resourceListSchema('What the machine has.'),
    allocatable: resourceListSchema('What the machine offers to pods.'),
    conditions: conditionsSchema(false),
    lastPodEventTime: { type: 'string', format: 'date-time', description: 'When a pod was last added to the node or removed from it.' },
  },
};

/** The CRD of NodeClaims, with what the cluster's cloud adds about labels. */
export const nodeClaimCrdWith = (rules: LabelRules): CustomResourceDefinition =>
  karpenterCrd({
    kind: 'NodeClaim',
    version: 'v1',
    description: 'NodeClaim represents one machine, from the request for it until it is gone.',
    columns,
    spec: specSchema(rules),
    status: statusSchema,
  });

/** The same without what a cloud adds. */
export const nodeClaimCrd: CustomResourceDefinition = nodeClaimCrdWith(noLabelRules);
