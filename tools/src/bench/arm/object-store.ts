import type { AzureKube } from '@karpenter/azure';

interface StoredObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly status?: object;
}

/** A cluster's API as far as the provider asks it, without a server, so that a benchmark counts nothing but calls to Azure. */
export const armObjectStore = (...objects: readonly StoredObject[]) => {
  const all = new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  const patch = (kind: string, { name }: { name: string }, { body }: { body: Partial<StoredObject> }) => {
    const before = all.get(`${kind}/${name}`);
    if (before === undefined) return Promise.resolve(undefined);
    const annotations = { ...before.metadata.annotations, ...body.metadata?.annotations };
    const after = { ...before, ...(body.status && { status: body.status }), metadata: { ...before.metadata, annotations } };
    all.set(`${kind}/${name}`, after);
    return Promise.resolve(after);
  };
  const kube = {
    get: (kind: string, { name }: { name: string }) => Promise.resolve(all.get(`${kind}/${name}`)),
    list: (kind: string) => Promise.resolve({ resourceVersion: '1', items: [...all.values()].filter((object) => object.kind === kind) }),
    patch,
    patchStatus: patch,
    delete: (kind: string, { name }: { name: string }) => Promise.resolve(all.delete(`${kind}/${name}`) ? 'deleted' : 'gone'),
  };
  return {
    kube: kube as unknown as AzureKube,
    put: (object: StoredObject) => void all.set(`${object.kind}/${object.metadata.name}`, object),
  };
};
