import { aksBodyRefusal } from '../body/body-refusal.ts';
import { ok } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { apiServerHostOf, type NodeKubeletSettings, nodeCommandOf } from './node-command.ts';
import type { NodeOsSettings } from './node-os-variables.ts';
import { provisionShape } from './provision-shape.ts';

/** Once its shape was checked. */
interface ProvisionBody {
  readonly provisionProfile: {
    readonly customNodeLabels?: Readonly<Record<string, string>>;
    readonly nodeInitializationTaints?: readonly string[];
    readonly nodeTaints?: readonly string[];
    readonly orchestratorVersion: string;
    readonly maxPods: number;
    readonly distro: string;
    readonly customKubeletConfig?: NodeKubeletSettings;
    readonly customLinuxOSConfig?: NodeOsSettings;
  };
  readonly provisionHelperValues: { readonly skuCPU: number; readonly skuMemory: number };
}

/** The token stays out of what the service knows. */
const TOKEN = '{{.TokenID}}.{{.TokenSecret}}';

/** The service refuses in bare text. */
const saying = (status: number, why: string): ArmReply => ({ status, body: why });

const answer = (world: ArmWorld, { provisionProfile, provisionHelperValues }: ProvisionBody): ArmReply => {
  const { customNodeLabels = {}, nodeTaints = [], nodeInitializationTaints = [] } = provisionProfile;
  const customData = `#cloud-config\nwrite_files:\n- path: /var/lib/kubelet/bootstrap-token\n  content: "${TOKEN}"\n`;
  return ok({
    customData: Buffer.from(customData, 'utf8').toString('base64'),
    cse: nodeCommandOf({
      apiServerName: apiServerHostOf(world.account),
      bootstrapToken: TOKEN,
      kubernetesVersion: provisionProfile.orchestratorVersion,
      labels: customNodeLabels,
      taints: [...nodeTaints, ...nodeInitializationTaints],
      maxPods: provisionProfile.maxPods,
      vCpus: provisionHelperValues.skuCPU,
      memoryGiB: provisionHelperValues.skuMemory,
      kubelet: provisionProfile.customKubeletConfig,
      os: provisionProfile.customLinuxOSConfig,
    }),
    osImageConfig: {},
    sigImageConfig: {},
  });
};

const get = (world: ArmWorld, request: ArmRequest): ArmReply => {
  const cluster = request.params['name'] ?? '';
  if (cluster.toLowerCase() !== world.account.clusterName.toLowerCase()) return saying(404, `managed cluster ${cluster} is not found`);
  const malformed = aksBodyRefusal(request.body, provisionShape);
  return malformed ? saying(400, malformed.error.message) : answer(world, request.body as ProvisionBody);
};

/** The service beside an AKS control plane that writes the user data of its nodes: a GET with a body, of no api-version. */
export const nodeBootstrappingRoute = (world: ArmWorld): ArmRoute => ({
  operation: 'NodeBootstrapping_Get',
  method: 'GET',
  path: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/Microsoft.ContainerService/managedclusters/{name}/nodeBootstrapping',
  unversioned: true,
  refused: ({ status, error }) => saying(status, error.message),
  handle: (request) => get(world, request),
});
