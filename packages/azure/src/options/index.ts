export {
  apiServerNameOf,
  type AzureOptions,
  type CloudChoice,
  type CloudName,
  defaultMaxPodsOf,
  isOverlay,
  type SharedGalleries,
} from './azure-options.ts';
export { azureFlags, type ParsedAzureOptions, parseAzureOptions } from './parse-azure-options.ts';
