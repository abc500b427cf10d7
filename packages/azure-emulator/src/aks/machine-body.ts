import type { NodeKubeletSettings } from './node-command.ts';
import type { NodeOsSettings } from './node-os-variables.ts';

/** The body of a machine PUT, once its shape was checked. */
export interface MachineBody {
  readonly zones?: readonly string[];
  readonly properties: {
    readonly nodeImageVersion?: string;
    readonly network?: { readonly vnetSubnetID?: string; readonly podSubnetID?: string };
    readonly hardware: { readonly vmSize: string; readonly ultraSsdEnabled?: boolean };
    readonly operatingSystem: {
      readonly osSKU?: string;
      readonly osDiskSizeGB?: number;
      readonly osDiskType?: string;
      readonly linuxProfile?: { readonly linuxOSConfig?: NodeOsSettings };
    };
    readonly kubernetes: {
      readonly nodeLabels?: Readonly<Record<string, string>>;
      readonly orchestratorVersion?: string;
      readonly nodeInitializationTaints?: readonly string[];
      readonly nodeTaints?: readonly string[];
      readonly maxPods?: number;
      readonly kubeletConfig?: NodeKubeletSettings;
      readonly artifactStreamingProfile?: { readonly enabled?: boolean };
    };
    readonly mode?: 'System' | 'User';
    readonly security?: { readonly enableEncryptionAtHost?: boolean; readonly enableVTPM?: boolean; readonly enableSecureBoot?: boolean };
    readonly priority?: 'Regular' | 'Spot';
    readonly billing?: { readonly spotMaxPrice?: number };
    readonly localDNSProfile?: { readonly mode?: string };
    readonly tags?: Readonly<Record<string, string>>;
  };
}
