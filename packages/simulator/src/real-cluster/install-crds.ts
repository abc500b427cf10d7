import type { KubeClient, KubeObject, ResourceKind } from '@karpenter/runtime';
import { parseAllDocuments } from 'yaml';
import type { Condition } from '@karpenter/core';
import { eventually } from '@karpenter/kube-api-contract/programs';

export const crdKind: ResourceKind = {
  ...{ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', plural: 'customresourcedefinitions' },
  namespaced: false,
};

interface Definition extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Creates definitions of YAML text, and waits until their resources are served. */
export const installCrds = async (client: KubeClient, texts: readonly string[]): Promise<void> => {
  const definitions = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Definition | null));
  for (const definition of definitions) {
    if (definition === null) continue;
    const { name } = definition.metadata;
    await client.create(crdKind.kind, definition);
    await eventually(`the definition ${name} to be served`, async () => {
      const stored = await client.get<Definition>(crdKind.kind, { name });
      return stored?.status?.conditions?.find(({ type, status }) => type === 'Established' && status === 'True');
    });
  }
};
