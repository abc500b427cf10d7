import { below, narrowedBody, only } from '../body/narrowed.ts';
import { publishedShape } from '../body/published-shape.ts';
import { oneOfTexts, text, whole } from '../body/shape.ts';
import { nodeBootstrappingModels } from '../data/aks-models.ts';
import { kubeletLimits, linuxLimits } from './node-settings-limits.ts';

const DISTRO =
  /^aks-(ubuntu(-arm64|-fips)?-containerd-(20|22|24)\.04(-cvm|-tl)?(-gen2)?|azurelinux-v[23](-arm64|-cvm)?(-gen2)?(-fips)?(-tl)?)$/;

/**
 * What the node bootstrapping service takes. Source of the numbers for names: the original's
 * `pkg/provisionclients/models/enums.go`.
 */
export const provisionShape = narrowedBody(publishedShape(nodeBootstrappingModels, 'ProvisionValues', 'sent'), {
  ...below('provisionProfile', {
    osType: only(whole(2, 2)),
    osSku: only(whole(1, 8)),
    storageProfile: only(oneOfTexts('ManagedDisks', 'Ephemeral')),
    distro: only(text(DISTRO)),
    orchestratorVersion: only(text(/^\d+\.\d+\.\d+$/)),
    vnetSubnetID: only(text(/^\/subscriptions\/.+\/subnets\/[^/]+$/i)),
    mode: only(whole(1, 2)),
    architecture: only(oneOfTexts('x64', 'Arm64')),
    maxPods: only(whole(10, 250)),
    'securityProfile.sshAccess': only(whole(0, 1)),
    'gpuProfile.driverType': only(whole(2, 3)),
    ...below('customKubeletConfig', kubeletLimits),
    ...below('customLinuxOSConfig', linuxLimits),
  }),
  ...below('provisionHelperValues', { skuCPU: only(whole(1, 1000)), skuMemory: only(whole(1, 100_000)) }),
});

/** What it answers with. */
export const bootstrappingAnswerShape = publishedShape(nodeBootstrappingModels, 'NodeBootstrapping', 'answered');
