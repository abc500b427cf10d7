import type { JsonSchema } from '@karpenter/core';
import { migProfiles } from '../aks-node-class.ts';
import { certificateSchema, httpProxySchema } from './http-proxy-schema.ts';
import { kubeletSchema } from './kubelet-schema.ts';
import { linuxOSConfigSchema } from './linux-os-config-schema.ts';
import { localDnsSchema } from './local-dns-schema.ts';

/** An ARM subnet id of 11 segments, in any case. */
export const SUBNET_ID_PATTERN =
  '(?i:^\\/subscriptions\\/[^\\/]+\\/resourceGroups\\/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]\\/providers\\/Microsoft\\.Network\\/virtualNetworks\\/[^\\/]+\\/subnets\\/[^\\/]+$)';

/** ARM id of a resource of Microsoft.Compute, in any case. */
const computeId = (type: string): string =>
  `(?i:^\\/subscriptions\\/[^\\/]+\\/resourceGroups\\/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]\\/providers\\/Microsoft\\.Compute\\/${type}\\/[^\\/]+$)`;

const trustedLaunch =
  'has(self.security) && has(self.security.trustedLaunch) && ((has(self.security.trustedLaunch.vtpm) && self.security.trustedLaunch.vtpm) || (has(self.security.trustedLaunch.secureBoot) && self.security.trustedLaunch.secureBoot))';
const confidential = 'has(self.security) && has(self.security.confidentialVM)';
const fips = "has(self.fipsMode) && self.fipsMode == 'FIPS'";

const security: JsonSchema = {
  type: 'object',
  description: 'Security features of the machines.',
  properties: {
    encryptionAtHost: { type: 'boolean', description: 'Encrypt the temporary disk and caches; only sizes that can are used.' },
    trustedLaunch: {
      type: 'object',
      description: 'Trusted launch; on when either member is true. Needs a generation 2 image.',
      properties: {
        vtpm: { type: 'boolean', description: 'Give the machine a virtual TPM.' },
        secureBoot: { type: 'boolean', description: 'Boot only signed components.' },
      },
    },
    confidentialVM: {
      type: 'object',
      description:
        'Confidential VMs (AMD SEV-SNP): only sizes that can are used, with secure boot and a virtual TPM. Not in the provision modes aksmachineapi*.',
      properties: {
        osDiskEncryption: {
          type: 'string',
          default: 'VMGuestStateOnly',
          enum: ['VMGuestStateOnly', 'DiskWithVMGuestState'],
          description: 'What Azure encrypts with a key of the machine: the state of its firmware, or the OS disk too.',
        },
      },
    },
    customCATrustCertificates: {
      type: 'array',
      maxItems: 10,
      items: certificateSchema('Base64 of a PEM certificate.', 4096),
      description:
        'Certificate authorities that nodes trust. Only in the provision mode aksscriptless; AKS takes those of the cluster elsewhere.',
    },
  },
};

const tags: JsonSchema = {
  type: 'object',
  description: 'Tags of the Azure resources; changed in place on running machines.',
  additionalProperties: { type: 'string', maxLength: 256 },
  'x-kubernetes-validations': [
    { rule: 'self.all(k, size(k) <= 512)', message: 'tag keys must be at most 512 characters' },
    { rule: "self.all(k, !k.matches('[<>%&?\\\\\\\\]'))", message: "tag keys must not contain '<', '>', '%', '&', '?' or '\\'" },
  ],
};

/** The part of `spec` that is written onto nodes. */
export const nodeSettingsSchema: JsonSchema = {
  type: 'object',
  properties: {
    kubelet: kubeletSchema,
    linuxOSConfig: linuxOSConfigSchema,
    localDNS: localDnsSchema,
    httpProxyConfig: httpProxySchema,
    security,
  },
};

/** `spec` of an AKSNodeClass. */
export const specSchema: JsonSchema = {
  type: 'object',
  description: 'How machines are made. An empty spec gives Ubuntu on a disk of 128 GB.',
  properties: {
    vnetSubnetID: {
      type: 'string',
      pattern: SUBNET_ID_PATTERN,
      description: 'Subnet of the network interfaces; default is the controller option.',
    },
    additionalSubnetIDs: {
      type: 'array',
      maxItems: 15,
      'x-kubernetes-list-type': 'set',
      items: { type: 'string', maxLength: 512, pattern: SUBNET_ID_PATTERN },
      description:
        'More subnets in the same virtual network. Each node joins the one with the most free addresses; a node whose subnet leaves the class drifts.',
    },
    podSubnetID: {
      type: 'string',
      pattern: SUBNET_ID_PATTERN,
      description: 'Subnet of the pods, in the virtual network of the nodes. Not in the provision mode bootstrappingclient.',
    },
    ipFamilies: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      'x-kubernetes-list-type': 'set',
      items: { type: 'string', enum: ['IPv4', 'IPv6'] },
      'x-kubernetes-validations': [{ rule: "'IPv4' in self", message: 'nodes need an IPv4 address: Azure makes no machine without one' }],
      description:
        'Families of the node addresses, default IPv4. IPv6 needs a cluster and subnets with both. Not in the provision modes aksmachineapi*.',
    },
    osDiskSizeGB: { type: 'integer', format: 'int32', default: 128, minimum: 30, maximum: 2048, description: 'Size of the OS disk in GB.' },
    diskEncryptionSetID: {
      type: 'string',
      pattern: computeId('diskEncryptionSets'),
      description: 'Disk encryption set of the OS disks; default is the controller option. Not in the provision modes aksmachineapi*.',
    },
    proximityPlacementGroupID: {
      type: 'string',
      pattern: computeId('proximityPlacementGroups'),
      description: 'Proximity placement group of the machines. Not in the provision modes aksmachineapi*.',
    },
    imageFamily: {
      type: 'string',
      default: 'Ubuntu',
      enum: ['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'],
      description: 'Operating system of the nodes.',
    },
    fipsMode: { type: 'string', enum: ['FIPS', 'Disabled'], description: 'Whether images with FIPS 140 cryptography are used.' },
    tags,
    kubelet: kubeletSchema,
    maxPods: { type: 'integer', format: 'int32', minimum: 10, maximum: 250, description: 'Most pods per node; default by network plugin.' },
    security,
    localDNS: localDnsSchema,
    gpu: {
      type: 'object',
      description: 'GPU settings.',
      properties: {
        mode: {
          type: 'string',
          enum: ['Driver', 'None'],
          default: 'Driver',
          description: 'Driver: the NVIDIA driver is installed. None: left to the user.',
        },
        mig: {
          type: 'string',
          enum: ['None', 'Dynamic', ...migProfiles],
          description:
            'MIG1g to MIG7g: all GPUs of A100, H100 and H200 are filled with MIG partitions of that profile when a node starts. Dynamic: the DRA driver of NVIDIA runs with its gate DynamicMIG, and splits GPUs of H100 and H200 as pods claim partitions. Default None.',
        },
      },
      'x-kubernetes-validations': [
        {
          rule: "!has(self.mig) || self.mig in ['None', 'Dynamic'] || !has(self.mode) || self.mode == 'Driver'",
          message: 'gpu.mig MIG1g to MIG7g requires gpu.mode Driver',
        },
      ],
    },
    artifactStreaming: {
      type: 'object',
      description: 'Streaming of container images.',
      properties: { enabled: { type: 'boolean', description: 'Stream images; leaves out arm64 sizes.' } },
    },
    linuxOSConfig: linuxOSConfigSchema,
    httpProxyConfig: httpProxySchema,
  },
  'x-kubernetes-validations': [
    { rule: `!(${fips}) || has(self.imageFamily)`, message: 'FIPS requires an explicit imageFamily' },
    { rule: `!(${fips}) || !has(self.imageFamily) || self.imageFamily != 'Ubuntu2404'`, message: 'FIPS is not available for Ubuntu2404' },
    {
      rule: `!(${fips}) || !has(self.imageFamily) || self.imageFamily != 'Ubuntu2204' || (${trustedLaunch})`,
      message: 'FIPS with Ubuntu2204 requires trusted launch (vtpm or secureBoot)',
    },
    {
      rule: `!(${fips}) || !(${trustedLaunch}) || !has(self.imageFamily) || self.imageFamily in ['Ubuntu', 'Ubuntu2204']`,
      message: 'FIPS together with trusted launch is only available for Ubuntu and Ubuntu2204',
    },
    { rule: `!(${confidential}) || !(${fips})`, message: 'there are no FIPS images for confidential VMs' },
    {
      rule: `!(${confidential}) || !(${trustedLaunch})`,
      message: 'confidentialVM includes a TPM and secure boot: trustedLaunch must not be enabled with it',
    },
    {
      rule: `!(${confidential}) || !has(self.imageFamily) || self.imageFamily != 'Ubuntu2204'`,
      message: 'there are no images of Ubuntu2204 for confidential VMs',
    },
    {
      rule: `!(${confidential}) || !has(self.security.encryptionAtHost) || !self.security.encryptionAtHost || !has(self.security.confidentialVM.osDiskEncryption) || self.security.confidentialVM.osDiskEncryption != 'DiskWithVMGuestState'`,
      message: 'encryptionAtHost is not available with the osDiskEncryption DiskWithVMGuestState',
    },
    {
      rule: '!has(self.linuxOSConfig) || !has(self.linuxOSConfig.swapFileSize) || (has(self.kubelet) && has(self.kubelet.failSwapOn) && !self.kubelet.failSwapOn)',
      message: 'linuxOSConfig.swapFileSize requires kubelet.failSwapOn to be false',
    },
  ],
};
