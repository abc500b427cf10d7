import type { JsonSchema, NodeClaim } from '@karpenter/core';
import { hasClassHashDrifted } from '@karpenter/core/provider-kit';
import { isJsonObject } from '@karpenter/runtime';
import {
  type AKSNodeClass,
  aksNodeClassCrd,
  azureAnnotations,
  type AzureDriftReason,
  azureDriftReasons,
  nodeClassHash,
} from '../apis/index.ts';

/** The value with the defaults of its schema. No list of the class has items with defaults. */
const defaulted = (value: unknown, schema: JsonSchema): unknown => {
  if (!isJsonObject(value)) return value ?? schema.default;
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const filled = defaulted(value[name], member);
    return filled === undefined ? [] : [[name, filled] as const];
  });
  return { ...value, ...Object.fromEntries(defaults) };
};

/** A class as the API server and the controller keep its manifest: with the defaults of the schema and the hash of its spec. */
export const storedNodeClass = (manifest: AKSNodeClass): AKSNodeClass => {
  const schema = aksNodeClassCrd.spec.versions.find(({ storage }) => storage)?.schema.openAPIV3Schema.properties?.['spec'] ?? {};
  // The schema describes the spec, and defaults keep its shape.
  const spec = manifest.spec && (defaulted(manifest.spec, schema) as typeof manifest.spec);
  const { annotations, of, version } = nodeClassHash;
  const stored = { ...manifest, ...(spec && { spec }) };
  const stamps = { [annotations.hash]: of(stored), [annotations.version]: version };
  return { ...stored, metadata: { ...manifest.metadata, annotations: { ...manifest.metadata.annotations, ...stamps } } };
};

const subnetsOf = ({ spec = {} }: AKSNodeClass): readonly string[] =>
  [spec.vnetSubnetID ?? '', ...(spec.additionalSubnetIDs ?? [])].map((id) => id.toLowerCase());

/** Whether the subnet that the machine has joined is taken away. */
const losesSubnet = ({ metadata }: NodeClaim, before: AKSNodeClass, after: AKSNodeClass): boolean => {
  const joined = metadata.annotations?.[azureAnnotations.subnet]?.toLowerCase();
  return joined !== undefined && subnetsOf(before).includes(joined) && !subnetsOf(after).includes(joined);
};

interface ChangedNodeClass {
  readonly before: AKSNodeClass;
  readonly after: AKSNodeClass;
}

type ChangeCheck = (claim: NodeClaim, change: ChangedNodeClass) => boolean;

/** The reasons that a change of a manifest can bring about. New images and versions are in the status of a class. */
const CHECKS: Readonly<Record<AzureDriftReason, ChangeCheck | undefined>> = {
  NodeClassDrift: (claim, { after }) => hasClassHashDrifted(claim, after, nodeClassHash),
  SubnetDrift: (claim, { before, after }) => losesSubnet(claim, before, after),
  K8sVersionDrift: undefined,
  KubeletIdentityDrift: undefined,
  ImageDrift: undefined,
};

/** Why a machine drifts once its class has changed; undefined where it does not, or has drifted anyway. */
export const classChangeDrift = (claim: NodeClaim, change: ChangedNodeClass): AzureDriftReason | undefined =>
  hasClassHashDrifted(claim, change.before, nodeClassHash)
    ? undefined
    : azureDriftReasons.find((reason) => CHECKS[reason]?.(claim, change) === true);
