import { type ArmRefusal, knownRefusals } from '@karpenter/azure-emulator';
import type { TestCluster } from '../clusters/test-cluster.ts';

/** A way in which machines are made, and how Azure says no there. */
export interface ProvisionMode {
  readonly name: 'aksscriptless' | 'bootstrappingclient' | 'aksmachineapi' | 'aksmachineapiheaderbatch';
  /** The call that asks for a machine. */
  readonly create: 'VirtualMachines_CreateOrUpdate' | 'Machines_CreateOrUpdate';
  /** When Azure reports that a size is out of stock: AKS accepts a machine before it requests its VM. */
  readonly shortage: 'refuse' | 'fail';
  /** What the subscription hears that may not have a size. */
  readonly restricted: (size: string) => ArmRefusal;
  /** The action without which no machine is made, and the role that holds it. */
  readonly needs: { readonly action: string; readonly role: string };
}

const vms = {
  create: 'VirtualMachines_CreateOrUpdate',
  shortage: 'refuse',
  restricted: (size: string) => knownRefusals.skuNotAvailable(size, 'eastus'),
  needs: { action: 'Microsoft.Compute/virtualMachines/write', role: 'Virtual Machine Contributor' },
} as const;

const poolMachines = {
  create: 'Machines_CreateOrUpdate',
  shortage: 'fail',
  restricted: (size: string) => knownRefusals.machineSizeNotSupported(size, 'eastus'),
  needs: {
    action: 'Microsoft.ContainerService/managedClusters/agentPools/machines/write',
    role: 'Azure Kubernetes Service Contributor Role',
  },
} as const;

export const provisionModes: readonly ProvisionMode[] = [
  { name: 'aksscriptless', ...vms },
  { name: 'bootstrappingclient', ...vms },
  { name: 'aksmachineapi', ...poolMachines },
  { name: 'aksmachineapiheaderbatch', ...poolMachines },
];

const modeNamed = (wanted: string): ProvisionMode => {
  const found = provisionModes.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new Error(`STORY_MODE is "${wanted}", expected one of ${provisionModes.map(({ name }) => name).join(', ')}`);
  return found;
};

/** The mode of stories that choose none: the default one, or `STORY_MODE` (`pnpm stories:modes`). */
export const storyMode: ProvisionMode = modeNamed(process.env['STORY_MODE'] ?? 'aksscriptless');

/** The modes in which every run lives a story; `STORY_MODE` lives it in that one instead (`pnpm stories:modes`). */
export const modesOfRun = (...names: readonly ProvisionMode['name'][]): readonly ProvisionMode[] =>
  process.env['STORY_MODE'] === undefined ? names.map(modeNamed) : [storyMode];

/** The environment of a controller that makes machines so. */
export const making =
  (mode: ProvisionMode['name']) =>
  (cluster: Pick<TestCluster, 'environment' | 'arm'>): Readonly<Record<string, string>> => ({
    ...cluster.environment(),
    PROVISION_MODE: mode,
    ...(mode.startsWith('aksmachineapi') && {
      USE_SIG: 'true',
      SIG_SUBSCRIPTION_ID: cluster.arm.account.imageSubscriptionId,
      AKS_MACHINES_POOL_NAME: cluster.arm.account.machinesPoolName,
    }),
  });
