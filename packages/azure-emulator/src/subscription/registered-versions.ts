import { AKS_MODELS_VERSION } from '../data/aks-models.ts';
import type { ArmEmulatorOptions } from '../options.ts';

/** Resource provider → the api-versions that it is registered with; absent: any. */
export const registeredVersions = ({ apiVersions }: ArmEmulatorOptions): Readonly<Record<string, readonly string[]>> => ({
  'Microsoft.ContainerService': [AKS_MODELS_VERSION],
  ...apiVersions,
});
