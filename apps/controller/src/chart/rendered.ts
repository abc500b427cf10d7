import type { KindRef, ApiObject } from '@karpenter/api-server';
import { type Document, parseAllDocuments } from 'yaml';
import { charts, helm } from './helm.ts';

/** The values that nobody but the user can know; those of a cluster that is not there. */
export const neededValues = {
  azure: {
    azureNodeResourceGroup: 'MC_main_main_eastus',
    azureSubscriptionId: '11111111-2222-3333-4444-555555555555',
    clusterEndpoint: 'https://main.hcp.eastus.azmk8s.io:443',
    clusterName: 'main',
    location: 'eastus',
    sshPublicKey: 'ssh-ed25519 AAAA',
    vnetSubnetId: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes',
  },
  kubeletBootstrapToken: { value: 'abcdef.0123456789abcdef' },
};

const objectOf = (document: Document.Parsed): ApiObject | null => {
  const [problem] = document.errors;
  if (problem !== undefined) throw problem;
  return document.toJS() as ApiObject | null;
};

/** The objects of YAML text with several documents. */
const objectsOf = (yaml: string): readonly ApiObject[] =>
  parseAllDocuments(yaml)
    .map(objectOf)
    .filter((object) => object !== null);

/**
 * The objects of a chart with these values, in the order of the chart. Throws the errors of helm, and those of invalid
 * YAML, such as a key that stands twice.
 */
export const renderChart = (
  values: object = neededValues,
  chart = charts.controller,
  verb: 'template' | 'templateLater' = 'template',
): readonly ApiObject[] => {
  const { code, stdout, stderr } = helm(verb, chart, values);
  if (code !== 0) throw new Error(stderr);
  return objectsOf(stdout);
};

/** The one object of a kind. */
export const oneOfKind = <T extends ApiObject>(objects: readonly ApiObject[], { kind }: KindRef<T>): T => {
  const [object, ...more] = objects.filter((each): each is T => each.kind === kind);
  if (object === undefined || more.length > 0)
    throw new Error(`there is not one ${kind} but ${object === undefined ? 0 : more.length + 1}`);
  return object;
};
