import type { VirtualMachineExtension } from '@azure/arm-compute';
import type { ExtensionSource } from './billing-extension.ts';

/** The extension whose script makes a machine a node. */
export const SCRIPT_EXTENSION = 'cse-agent-karpenter';

/**
 * What is PUT for the script that a machine runs first. ARM shows it to nobody: it holds the token with which the node
 * joins.
 */
export const scriptExtensionOf = ({ location, tags }: ExtensionSource, script: string): VirtualMachineExtension => ({
  location,
  tags: { ...tags },
  publisher: 'Microsoft.Azure.Extensions',
  typePropertiesType: 'CustomScript',
  typeHandlerVersion: '2.0',
  autoUpgradeMinorVersion: true,
  settings: {},
  protectedSettings: { commandToExecute: script },
});
