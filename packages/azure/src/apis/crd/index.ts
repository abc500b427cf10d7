export { aksNodeClassCrd } from './aks-node-class-crd.ts';
export { azureLabelRules, type CloudLabelRules } from './azure-label-rules.ts';
export { schemaProblems, type ValueProblem } from './schema-problems.ts';
export { nodeSettingsSchema, SUBNET_ID_PATTERN } from './spec-schema.ts';
