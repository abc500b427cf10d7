export {
  apiServerNameOf,
  type AzureOptions,
  type CloudChoice,
  type CloudName,
  defaultMaxPodsOf,
  isOverlay,
  type SharedGalleries,
} from './azure-options.ts';
export { type AgentPool, agentPoolOf, type MachineBatching, type Provisioning } from './provisioning.ts';
export { azureOptionNames } from './azure-option-names.ts';
export { base64In } from './option-forms.ts';
export { type ParsedAzureOptions, parseAzureOptions } from './azure-options-parser.ts';
