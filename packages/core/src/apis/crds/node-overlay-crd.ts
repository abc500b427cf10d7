import { STANDARD_RESOURCES } from '../node-overlay.ts';
import type { CustomResourceDefinition, JsonSchema, LabelRules, PrinterColumn } from './custom-resource-definition.ts';
import { conditionsSchema, resourceListSchema, selectorsSchema } from './field-schemas.ts';
import { karpenterCrd, noLabelRules, ownKeyRules } from './custom-resource-definition.ts';

const columns: readonly PrinterColumn[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
];

const standard = [...STANDARD_RESOURCES].map((name) => `'${name}'`).join(', ');

const specSchema = (rules: LabelRules): JsonSchema => ({
  type: 'object',
  description: 'Which instance types the overlay applies to, and what to assume about them.',
  required: ['requirements'],
  properties: {
    requirements: selectorsSchema([...ownKeyRules('self'), ...rules.requirementKey]),
    price: {
      type: 'string',
      pattern: String.raw`^\d+(\.\d+)?$`,
      description: 'The price per hour, in place of that of the provider.',
    },
    priceAdjustment: {
      type: 'string',
      pattern: String.raw`^(([+-]{1}(\d*\.?\d+))|(\+{1}\d*\.?\d+%)|(^(-\d{1,2}(\.\d+)?%)$)|(-100%))$`,
      description: 'Added to the price of the provider: an amount (+0.5, -0.5) or a share of it (+10%, -15%).',
    },
    capacity: {
      ...resourceListSchema('Extended resources that the machines have.'),
      'x-kubernetes-validations': [{ rule: `self.all(x, !(x in [${standard}]))`, message: 'invalid resource restricted' }],
    },
    weight: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 10_000,
      description: 'Where two overlays set the same thing, the one with the higher weight counts. Unset counts as 0.',
    },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.price) || !has(self.priceAdjustment)', message: "cannot set both 'price' and 'priceAdjustment'" },
  ],
});

/** The CRD of NodeOverlays, with what the cluster's cloud adds about labels. */
export const nodeOverlayCrdWith = (rules: LabelRules): CustomResourceDefinition =>
  karpenterCrd({
    kind: 'NodeOverlay',
    shortNames: ['overlays'],
    version: 'v1alpha1',
    description: 'NodeOverlay overrides what the cloud provider says about the price or capacity of some instance types.',
    columns,
    spec: specSchema(rules),
    status: {
      type: 'object',
      description: 'The observed state of the overlay.',
      properties: { conditions: conditionsSchema(true) },
    },
  });

/** The same without what a cloud adds. */
export const nodeOverlayCrd: CustomResourceDefinition = nodeOverlayCrdWith(noLabelRules);
