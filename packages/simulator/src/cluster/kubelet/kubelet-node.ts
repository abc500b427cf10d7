import type { Taint } from '@karpenter/core';
import type { DynamicResources } from '@karpenter/core/internal';
import type { PodObject } from '../objects/pod.ts';

/** A CSI driver whose daemon runs on the node. */
export interface VolumeDriver {
  readonly name: string;
  /** How many of its volumes the machine attaches. Default: it states no number. */
  readonly limit?: number | undefined;
  /**
   * Labels that say where its volumes reach: the node gets them when the driver registers. Default: none but the zone
   * that it has anyway.
   */
  readonly topology?: Readonly<Record<string, string>> | undefined;
}

/** The devices of a machine, and when their drivers publish them. */
export interface MachineDevices {
  readonly resources: DynamicResources;
  /** After its node became Ready; Infinity: never. */
  readonly afterMs: number;
}

/** Everything a kubelet is started with: what its bootstrap says and what its machine is. */
export interface KubeletNode {
  readonly name: string;
  /** As `--node-labels` says; the restricted ones are left out, as on a real node. */
  readonly labels: Readonly<Record<string, string>>;
  /** As `--register-with-taints` says. */
  readonly taints: readonly Taint[];
  /** Quantities. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  /** Quantities that it has beside them once a device plugin runs on its node. Default none. */
  readonly pluginResources?: Readonly<Record<string, string>> | undefined;
  readonly arch: 'amd64' | 'arm64';
  /** Set by the kubelet itself only without a cloud controller. */
  readonly providerId?: string | undefined;
  readonly internalIp?: string | undefined;
  /** Beside it, on a node of both address families. */
  readonly internalIpv6?: string | undefined;
  /** With `v`. Default the cluster's. */
  readonly kubeletVersion?: string | undefined;
  /** The operating system as `kubectl get nodes -o wide` shows it. Default an Ubuntu. */
  readonly osImage?: string | undefined;
  /**
   * True with `--cloud-provider=external`: the node carries the uninitialized taint until the cloud controller has seen it.
   */
  readonly isCloudManaged: boolean;
  /** They register when the node becomes Ready. Default none. */
  readonly volumeDrivers?: readonly VolumeDriver[] | undefined;
  /** Default none. */
  readonly devices?: MachineDevices | undefined;
  /** All flags of its bootstrap: name without dashes → value. A kubelet of Kubernetes itself starts with them. Default none. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
  /** Its network plugin never comes up. Default false. */
  readonly isNeverReady?: boolean | undefined;
}

/** The address of machines that state none. */
export const DEFAULT_NODE_IP = '10.0.0.1';

/** The operating system of machines that state none. */
export const DEFAULT_OS_IMAGE = 'Ubuntu 22.04.5 LTS';

/** The cluster's version, for machines that state none. */
export const DEFAULT_KUBELET_VERSION = 'v1.35.0';

/** The folder of the socket at which device plugins register. Source: kubernetes.io, "Device Plugins". */
const PLUGINS_FOLDER = '/var/lib/kubelet/device-plugins';

/**
 * Whether a pod is a device plugin that runs. A node has the devices of its machine as resources from then on: on AKS,
 * GPUs are resources only where somebody installed such a plugin.
 */
export const isRunningDevicePlugin = ({ spec, status }: PodObject): boolean =>
  status?.phase === 'Running' && (spec.volumes ?? []).some(({ hostPath }) => hostPath?.path.replace(/\/$/, '') === PLUGINS_FOLDER);
