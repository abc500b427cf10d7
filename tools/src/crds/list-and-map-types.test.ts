import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { crdFiles } from './crd-files.ts';

/*
 * Server-side apply merges lists and maps by these types. Sources: the CRDs in `pkg/apis/crds` of the original's core, August 2026, and of its Azure provider.
 * A list without a type is atomic, a map without one granular.
 */
const conditions = 'map by type';
const original: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'karpenter.sh_nodepools.yaml': {
    'spec.disruption.budgets': 'atomic list',
    'spec.disruption.budgets[].reasons': 'set',
    'spec.limits': 'granular map',
    'spec.template.metadata.annotations': 'granular map',
    'spec.template.metadata.labels': 'atomic map',
    'spec.template.spec.requirements': 'atomic list',
    'spec.template.spec.requirements[].values': 'atomic list',
    'spec.template.spec.startupTaints': 'atomic list',
    'spec.template.spec.taints': 'atomic list',
    'status.conditions': conditions,
    'status.resources': 'granular map',
  },
  'karpenter.sh_nodeclaims.yaml': {
    'spec.requirements': 'atomic list',
    'spec.requirements[].values': 'atomic list',
    'spec.resources.requests': 'granular map',
    'spec.startupTaints': 'atomic list',
    'spec.taints': 'atomic list',
    'status.allocatable': 'granular map',
    'status.capacity': 'granular map',
    'status.conditions': conditions,
  },
  'karpenter.sh_nodeoverlays.yaml': {
    'spec.capacity': 'granular map',
    'spec.requirements': 'atomic list',
    'spec.requirements[].values': 'atomic list',
    'status.conditions': conditions,
  },
  'autoscaling.x-k8s.io_capacitybuffers.yaml': { 'spec.limits': 'granular map', 'status.conditions': conditions },
  'karpenter.azure.com_aksnodeclasses.yaml': {
    'spec.kubelet.allowedUnsafeSysctls': 'atomic list',
    'spec.localDNS.kubeDNSOverrides': 'map by zone',
    'spec.localDNS.vnetDNSOverrides': 'map by zone',
    'spec.tags': 'granular map',
    'status.conditions': 'atomic list',
    'status.images': 'atomic list',
    'status.images[].requirements': 'atomic list',
    'status.images[].requirements[].values': 'atomic list',
  },
};

/** Lists and maps that the original does not have. */
const ofOurOwn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'karpenter.sh_nodepools.yaml': { 'spec.minimum': 'granular map' },
  'karpenter.sh_rebalanceplans.yaml': { 'status.conditions': conditions, 'status.wave.nodes': 'atomic list' },
  'karpenter.azure.com_aksnodeclasses.yaml': {
    'spec.additionalSubnetIDs': 'set',
    'spec.httpProxyConfig.noProxy': 'atomic list',
    'spec.ipFamilies': 'set',
    'spec.security.customCATrustCertificates': 'atomic list',
  },
};

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
}
interface Crd {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

const typeOf = (schema: Schema): string | undefined => {
  if (schema.additionalProperties !== undefined) return `${schema['x-kubernetes-map-type'] ?? 'granular'} map`;
  if (schema.items === undefined) return schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
  if (listType === 'atomic') return 'atomic list';
  return listType === 'map' ? `map by ${(schema['x-kubernetes-list-map-keys'] ?? []).join(', ')}` : listType;
};

/** The types of all lists and maps below a field, by path. */
const typesBelow = (schema: Schema, path: string): readonly (readonly [string, string])[] => {
  const type = typeOf(schema);
  return [
    ...(type === undefined ? [] : [[path, type] as const]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => typesBelow(child, path === '' ? name : `${path}.${name}`)),
    ...(schema.items === undefined ? [] : typesBelow(schema.items, `${path}[]`)),
    ...(schema.additionalProperties === undefined ? [] : typesBelow(schema.additionalProperties, `${path}{}`)),
  ];
};

const versions = [...crdFiles()].flatMap(([file, text]) =>
  (parse(text) as Crd).spec.versions.map(({ name, schema }) => ({ file, name, schema: schema.openAPIV3Schema })),
);

describe('lists and maps of the CRDs', () => {
  test.each(versions)('$file, version $name, merge in server-side apply as the original’s', ({ file, schema }) =>
    expect(Object.fromEntries(typesBelow(schema, ''))).toEqual({ ...original[file], ...ofOurOwn[file] }),
  );
});
