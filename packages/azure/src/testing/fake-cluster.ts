import type { KubeObject } from '@karpenter/runtime';
import type { AKSNodeClass } from '../apis/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';

/** An object that has a name. */
export type NamedObject = KubeObject & { readonly metadata: { readonly name: string } };

/** A cluster's API as far as the provider uses it: objects by kind and name, merge patches of one level of nesting. */
export class FakeCluster {
  readonly objects = new Map<string, NamedObject>();

  put(object: NamedObject): void {
    this.objects.set(`${object.kind}/${object.metadata.name}`, object);
  }

  nodeClass(): AKSNodeClass | undefined {
    return this.objects.get('AKSNodeClass/default') as AKSNodeClass | undefined;
  }

  kube(): AzureKube {
    const merge = (kind: string, name: string, body: object): NamedObject | undefined => {
      const before = this.objects.get(`${kind}/${name}`);
      if (before === undefined) return undefined;
      const { metadata, status } = body as { metadata?: object; status?: object };
      const annotations = { ...before.metadata.annotations, ...(metadata as NamedObject['metadata'] | undefined)?.annotations };
      const after = { ...before, ...(status && { status }), metadata: { ...before.metadata, ...metadata, annotations } };
      this.put(after);
      return after;
    };
    const patch = (kind: string, { name }: { name: string }, { body }: { body: object }) => Promise.resolve(merge(kind, name, body));
    const kube = {
      get: (kind: string, { name }: { name: string }) => Promise.resolve(this.objects.get(`${kind}/${name}`)),
      list: (kind: string) =>
        Promise.resolve({ resourceVersion: '1', items: [...this.objects.values()].filter((object) => object.kind === kind) }),
      patch,
      patchStatus: patch,
    };
    return kube as unknown as AzureKube;
  }
}
