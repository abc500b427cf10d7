import { problemsText, type Verdict } from '@karpenter/core/provider-kit';
import { type AKSNodeClassSpec, nodeClassConditions, nodeSettingsSchema, schemaProblems } from '../../apis/index.ts';
import type { ArmApi } from '../../arm/arm-api.ts';
import { type ClassBootstrap, customDataProblem, leastCustomDataLength } from '../../bootstrap/index.ts';
import type { Provisioning } from '../../options/index.ts';
import { encryptionVerdict } from './encryption-verdict.ts';

/** A field that not every provision mode can apply. */
interface ModeField {
  readonly name: string;
  readonly modes: readonly Provisioning['kind'][];
  /** Why not elsewhere. */
  readonly why: string;
  readonly isSet: (spec: AKSNodeClassSpec) => boolean;
}

const MODE_FIELDS: readonly ModeField[] = [
  {
    name: 'podSubnetID',
    modes: ['aksscriptless', 'aksmachineapi'],
    why: 'the node bootstrapping service takes no pod subnet',
    isSet: ({ podSubnetID }) => podSubnetID !== undefined,
  },
  {
    name: 'ipFamilies',
    modes: ['aksscriptless', 'bootstrappingclient'],
    why: 'AKS takes the address families of the cluster',
    isSet: ({ ipFamilies }) => ipFamilies !== undefined,
  },
  {
    name: 'diskEncryptionSetID',
    modes: ['aksscriptless', 'bootstrappingclient'],
    why: 'AKS takes the disk encryption set of the cluster',
    isSet: ({ diskEncryptionSetID }) => diskEncryptionSetID !== undefined,
  },
  {
    name: 'proximityPlacementGroupID',
    modes: ['aksscriptless', 'bootstrappingclient'],
    why: 'AKS takes the proximity placement group of the agent pool',
    isSet: ({ proximityPlacementGroupID }) => proximityPlacementGroupID !== undefined,
  },
  {
    name: 'security.confidentialVM',
    modes: ['aksscriptless', 'bootstrappingclient'],
    why: 'AKS takes no such field for a machine',
    isSet: ({ security }) => security?.confidentialVM !== undefined,
  },
  {
    name: 'httpProxyConfig',
    modes: ['aksscriptless'],
    why: 'AKS takes the proxy of the cluster (az aks update --http-proxy-config)',
    isSet: ({ httpProxyConfig }) => httpProxyConfig !== undefined,
  },
  {
    name: 'security.customCATrustCertificates',
    modes: ['aksscriptless'],
    why: 'AKS takes those of the cluster (az aks update --custom-ca-trust-certificates)',
    isSet: ({ security }) => (security?.customCATrustCertificates ?? []).length > 0,
  },
];

/** Why a class cannot be applied in the provision mode; undefined: it can. */
const modeProblem = (spec: AKSNodeClassSpec, { kind }: Provisioning): string | undefined => {
  const field = MODE_FIELDS.find(({ modes, isSet }) => !modes.includes(kind) && isSet(spec));
  return field && `spec.${field.name} has no effect in the provision mode ${kind}: ${field.why}`;
};

const bad = (reason: string, message: string): Verdict => ({
  ...{ type: nodeClassConditions.validationSucceeded, status: 'False' },
  ...{ reason, message },
});

/** Whether the fields of a class can be applied. Undefined where Azure did not say: what was known before still counts. */
export const validationVerdict = async (
  { arm, ...source }: ClassBootstrap & { readonly arm: Pick<ArmApi, 'hasDiskEncryptionSet'> },
  signal: AbortSignal,
): Promise<Verdict | undefined> => {
  const { nodeClass, options } = source;
  const spec = nodeClass.spec ?? {};
  const message = modeProblem(spec, options.provisioning);
  if (message !== undefined) return bad('NotInProvisionMode', message);
  const problems = schemaProblems(nodeSettingsSchema, spec, 'spec');
  if (problems.length > 0) return bad('FieldInvalid', problemsText(problems));
  const tooLong = options.provisioning.kind === 'aksscriptless' ? customDataProblem(leastCustomDataLength(source)) : undefined;
  if (tooLong !== undefined) return bad('CustomDataTooLong', tooLong);
  return encryptionVerdict(arm, spec.diskEncryptionSetID ?? options.diskEncryptionSetId, signal);
};
