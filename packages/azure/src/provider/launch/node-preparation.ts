import { CloudProviderError } from '@karpenter/core';
import type { NodeBootstrappingService } from '../../arm/calls/node-bootstrapping.ts';
import {
  bootstrapProblems,
  type BootstrapSource,
  customDataOf,
  customDataProblem,
  gpuDriverOf,
  kubeletFlagsOf,
  nodeSettingVariables,
  nodeTaintsOf,
  podDnsOf,
  type ProvisionValues,
  provisionValuesOf,
} from '../../bootstrap/index.ts';
import { kubeReservedOf, migProfileOf } from '../../catalog/index.ts';
import { distroOf } from '../../images/index.ts';
import { apiServerNameOf } from '../../options/index.ts';
import { gpuOf } from '../../skus/index.ts';
import { launchLabelsOf, type LaunchSource, maxPodsOf, placementOf, refuseUnsafe, subnetOf } from './launch-source.ts';

/** What makes a machine a node. */
export interface PreparedNode {
  /** Base64. */
  readonly customData: string;
  /** To be run on the machine once it is up; absent: its user data is all it needs. */
  readonly script?: string;
}

export type NodePreparation = (source: LaunchSource, signal: AbortSignal) => Promise<PreparedNode>;

const bootstrapSourceOf = (source: LaunchSource): BootstrapSource => {
  const { options, sku, nodeClass, kubernetesVersion, claim, facts, securityGroup } = source;
  const hasDriver = gpuOf(sku.name)?.manufacturer === 'nvidia' && (nodeClass.spec?.gpu?.mode ?? 'Driver') === 'Driver';
  const { architecture } = sku;
  const apiServerName = apiServerNameOf(options);
  const settings = { nodeClass, kubernetesVersion, architecture, apiServerName, clusterDns: facts.clusterDns };
  return {
    options,
    apiServerName,
    caBundle: source.caBundle,
    kubernetesVersion,
    architecture,
    subnet: subnetOf(source),
    networkSecurityGroup: securityGroup.name,
    routeTable: securityGroup.routeTable,
    gpuDriver: hasDriver ? gpuDriverOf(sku.name) : undefined,
    migProfile: migProfileOf(nodeClass.spec ?? {}, sku.name),
    kubeletFlags: kubeletFlagsOf({
      kubernetesVersion,
      maxPods: maxPodsOf(source),
      kubeReserved: kubeReservedOf(sku.vCpus, sku.memoryGiB),
      clusterDns: podDnsOf(settings),
      taints: nodeTaintsOf(claim.spec),
      kubelet: nodeClass.spec?.kubelet ?? {},
    }),
    labels: launchLabelsOf(source),
    settings: nodeSettingVariables(settings),
  };
};

/**
 * User data that is written here, for the scripts in an AKS node image. Throws `launch-refused` for values that would be
 * more than text to them, and for more of them than Azure takes.
 */
const ownCustomData = (launch: LaunchSource): string => {
  const source = bootstrapSourceOf(launch);
  refuseUnsafe(bootstrapProblems(source));
  const customData = customDataOf(source);
  const problem = customDataProblem(customData.length);
  if (problem !== undefined) throw new CloudProviderError('launch-refused', problem, { reason: 'CustomDataTooLong' });
  return customData;
};

export const preparingAlone: NodePreparation = (source) => Promise.resolve({ customData: ownCustomData(source) });

const questionOf = (source: LaunchSource): ProvisionValues => {
  const { nodeClass, claim, sku, kubernetesVersion, image } = source;
  const distro = distroOf(image.id);
  if (distro === undefined) {
    throw new CloudProviderError('launch-failed', `the node bootstrapping service knows no image like ${image.id}`, {
      reason: 'NodeBootstrappingFailed',
    });
  }
  const migProfile = migProfileOf(nodeClass.spec ?? {}, sku.name);
  if (migProfile !== undefined) {
    throw new CloudProviderError('launch-failed', `the node bootstrapping service splits no GPUs: gpu.mig is ${migProfile}`, {
      reason: 'NodeBootstrappingFailed',
    });
  }
  return provisionValuesOf({
    ...{ nodeClass, claim: claim.spec, sku, kubernetesVersion, distro, labels: launchLabelsOf(source) },
    ...{ subnetId: source.subnetId, maxPods: maxPodsOf(source), isEphemeral: placementOf(source) !== undefined },
  });
};

/** User data and script as the node bootstrapping service of AKS writes them. Rejects with `ArmError`. */
export const preparingByService =
  (service: NodeBootstrappingService): NodePreparation =>
  async (source, signal) =>
    service.ask(questionOf(source), signal);
