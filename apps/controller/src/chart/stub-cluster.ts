/** Of the cluster that is not there. */
export const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
export const CLIENT = '99999999-8888-7777-6666-555555555555';
export const NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/MC_rg_main_eastus/providers/Microsoft.Network/virtualNetworks/aks-vnet`;
export const KUBELET = `/subscriptions/${SUBSCRIPTION}/resourceGroups/MC_rg_main_eastus/providers/Microsoft.ManagedIdentity/userAssignedIdentities/agent`;

export const API_HOST = 'main-dns-1.hcp.eastus.azmk8s.io';

const ISSUER = 'https://eastus.oic.prod-aks.azure.com/tenant/cluster/';

/** The `az` query for a federated credential of a service account. */
export const trustIn = (subject: string): string => `[?issuer=='${ISSUER}' && subject=='system:serviceaccount:${subject}'].name | [0]`;

/** What `az … --query <key> --output tsv` answers; `None` is how it writes what is absent. */
export const healthy: Readonly<Record<string, string>> = {
  'nodeProvisioningProfile.mode': 'None',
  nodeResourceGroup: 'MC_rg_main_eastus',
  location: 'eastus',
  id: `/subscriptions/${SUBSCRIPTION}/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/main`,
  'privateFqdn || fqdn': API_HOST,
  fqdn: API_HOST,
  name: 'AzureCloud',
  'networkProfile.networkPlugin': 'azure',
  'networkProfile.networkPluginMode': 'overlay',
  'networkProfile.networkDataplane': 'cilium',
  'networkProfile.networkPolicy': 'cilium',
  'networkProfile.dnsServiceIp': '10.0.0.10',
  'identityProfile.kubeletidentity.resourceId': KUBELET,
  'identityProfile.kubeletidentity.clientId': CLIENT,
  'agentPoolProfiles[].vnetSubnetId': '',
  'linuxProfile.ssh.publicKeys[0].keyData': "ssh-rsa AAAA o'brien@example",
  '[].subnets[].id': `${NETWORK}/subnets/aks-subnet`,
  'oidcIssuerProfile.issuerUrl': ISSUER,
  'securityProfile.workloadIdentity.enabled': 'true',
  [trustIn('karpenter:karpenter')]: 'karpenter',
  resourceGuid: SUBSCRIPTION,
  clientId: CLIENT,
  tenantId: SUBSCRIPTION,
};

/** An `az` with these answers. Fails for a question that the cluster has no answer to, as az does for an error. */
export const stubAz = (answers: Readonly<Record<string, string>>): string => `#!/usr/bin/env bash
while [ "$1" != --query ]; do
  [ $# -gt 1 ] || { echo "ERROR: --query is missing" >&2; exit 2; }
  shift
done
case "$2" in
${Object.entries(answers)
  .map(([query, answer]) => `${JSON.stringify(query)}) printf '%b\\n' ${JSON.stringify(answer)} ;;`)
  .join('\n')}
*) echo "ERROR: (ResourceNotFound) $2" >&2; exit 3 ;;
esac
`;

/** A `kubectl` whose context is a server's, which knows of one bootstrap token. */
export const stubKubectl = (server: string): string => `#!/usr/bin/env bash
case "$*" in
*config*view*) printf '%s' '${server}' ;;
*bootstrap.kubernetes.io/token*token-id*) printf abcdef | base64 ;;
*bootstrap.kubernetes.io/token*token-secret*) printf 0123456789abcdef | base64 ;;
*) exit 1 ;;
esac
`;
