import { systemClock } from '@karpenter/runtime';
import { assembleController } from '../../../apps/controller/src/controller.ts';
import { readCommandLine } from '../../../apps/controller/src/settings/command-line.ts';
import type { KnownMetric } from './metrics-page.ts';

const resourceGroup = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg';

/** The settings that the controller needs; nothing of it is contacted. */
const environment = {
  CLUSTER_NAME: 'aks',
  CLUSTER_ENDPOINT: 'https://127.0.0.1:443',
  AZURE_NODE_RESOURCE_GROUP: 'rg',
  AZURE_SUBSCRIPTION_ID: '00000000-0000-0000-0000-000000000000',
  LOCATION: 'eastus',
  VNET_SUBNET_ID: `${resourceGroup}/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes`,
  SSH_PUBLIC_KEY: 'ssh-ed25519 AAAA',
  KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
};

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Every metric that the controller with the Azure provider registers when it is put together. */
export const registeredMetrics = async (): Promise<readonly KnownMetric[]> => {
  const read = await readCommandLine([], environment);
  if (read.kind !== 'run') throw new Error(`the options are refused: ${JSON.stringify(read)}`);
  const controller = assembleController({
    ...read,
    connection: { server: environment.CLUSTER_ENDPOINT, tls: {} },
    clock: systemClock,
    logger: quiet,
    onFatal: (error) => {
      throw error;
    },
  });
  const found = (await controller.registry.getMetricsAsJSON()).map(({ name, help, type }) => ({ name, help, type: String(type) }));
  await controller.close();
  return found.map((metric) => ({ ...metric, labelNames: labelsOf(controller.registry.getSingleMetric(metric.name)) }));
};

/** A metric keeps the names of its labels, though its type does not say so. */
const labelsOf = (metric: object | undefined): readonly string[] => {
  const names: unknown = metric === undefined ? [] : Reflect.get(metric, 'labelNames');
  return Array.isArray(names) ? names.map(String) : [];
};
