import { generateKeyPairSync } from 'node:crypto';
import type { ArmEmulator } from '@karpenter/azure-emulator';
import { DNS_SERVICE_IP } from './system-workloads.ts';
import type { WorkingFolder } from './working-folder.ts';

const field = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const RAW_KEY_BYTES = 32;

/** A new key in the form of `~/.ssh/id_ed25519.pub`; its private half is thrown away. */
const newSshPublicKey = (): string => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_BYTES);
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)]).toString('base64')} simulator`;
};

/** Token id and secret, as in a `bootstrap.kubernetes.io/token` Secret. */
const BOOTSTRAP_TOKEN = 'abcdef.0123456789abcdef';

/** The environment variables by which a controller finds this Azure and this cluster; writes the files that they name. */
export const azureEnvironment = (arm: ArmEmulator, clusterEndpoint: string, folder: WorkingFolder): Readonly<Record<string, string>> => {
  const { account } = arm;
  return {
    AZURE_ENVIRONMENT_FILEPATH: folder.write('azure-environment.json', JSON.stringify(arm.environmentFile(), null, 2)),
    NODE_EXTRA_CA_CERTS: folder.write('azure-ca.pem', arm.caPem),
    RETAIL_PRICES_URL: arm.pricesUrl,
    ARM_SUBSCRIPTION_ID: account.subscriptionId,
    AZURE_SUBSCRIPTION_ID: account.subscriptionId,
    ARM_TENANT_ID: account.tenantId,
    AZURE_TENANT_ID: account.tenantId,
    AZURE_CLIENT_ID: account.clientId,
    AZURE_CLIENT_SECRET: account.clientSecret,
    AZURE_AUTHORITY_HOST: arm.authorityUrl,
    ARM_RESOURCE_GROUP: account.clusterResourceGroup,
    AZURE_NODE_RESOURCE_GROUP: account.nodeResourceGroup,
    NODEBOOTSTRAPPING_SERVER_URL: arm.nodeBootstrappingUrl,
    LOCATION: account.location,
    CLUSTER_NAME: account.clusterName,
    CLUSTER_ENDPOINT: clusterEndpoint,
    VNET_SUBNET_ID: account.subnetId,
    VNET_GUID: account.vnetGuid,
    NODE_IDENTITIES: account.kubeletIdentityId,
    KUBELET_IDENTITY_CLIENT_ID: account.kubeletIdentityClientId,
    KUBELET_BOOTSTRAP_TOKEN: BOOTSTRAP_TOKEN,
    SSH_PUBLIC_KEY: newSshPublicKey(),
    DNS_SERVICE_IP,
  };
};
