import type { VirtualMachineExtension } from '@azure/arm-compute';

/** The extension by which AKS distinguishes its nodes from other machines on the bill. */
export const BILLING_EXTENSION = 'computeAksLinuxBilling';

export interface ExtensionSource {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** What is PUT for the billing extension: it carries the tags of its machine. */
export const billingExtensionOf = ({ location, tags }: ExtensionSource): VirtualMachineExtension => ({
  location,
  tags: { ...tags },
  publisher: 'Microsoft.AKS',
  typePropertiesType: 'Compute.AKS.Linux.Billing',
  typeHandlerVersion: '1.0',
  autoUpgradeMinorVersion: true,
  settings: {},
});

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
