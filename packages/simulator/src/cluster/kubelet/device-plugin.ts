import type { PodObject } from '../objects/pod.ts';

/** The folder of the socket at which device plugins register. Source: kubernetes.io, "Device Plugins". */
const PLUGINS_FOLDER = '/var/lib/kubelet/device-plugins';

/**
 * Whether a pod is a device plugin that runs. A node has the devices of its machine as resources from then on: on AKS,
 * GPUs are resources only where somebody installed such a plugin.
 */
export const isRunningDevicePlugin = ({ spec, status }: PodObject): boolean =>
  status?.phase === 'Running' && (spec.volumes ?? []).some(({ hostPath }) => hostPath?.path.replace(/\/$/, '') === PLUGINS_FOLDER);
