import { fakeClock } from '@karpenter/runtime';
import { type ApiServer, startApiServer } from '@karpenter/api-server';
import { type AKSNodeClass, aksNodeClassCrd } from '../apis/index.ts';

/** What the API server makes of a spec: the stored spec, or why it is refused. */
export interface Admission {
  readonly spec?: AKSNodeClass['spec'];
  /** Empty when it was accepted. */
  readonly refusal: string;
}

/** An API server that knows AKSNodeClasses. */
export interface ClassApi {
  readonly server: ApiServer;
  admit(spec: object, version?: 'v1beta1' | 'v1alpha2'): Admission;
  close(): Promise<void>;
}

export const startClassApi = async (): Promise<ClassApi> => {
  const server = await startApiServer({ clock: fakeClock() });
  server.installCrds(JSON.stringify(aksNodeClassCrd));
  let made = 0;
  return {
    server,
    admit: (spec, version = 'v1beta1') => {
      made += 1;
      const apiVersion = `karpenter.azure.com/${version}` as const;
      const metadata = { name: `class-${made}` };
      try {
        const stored = server.local.create<AKSNodeClass>({ apiVersion, kind: 'AKSNodeClass', metadata, spec });
        return { refusal: '', ...(stored.spec !== undefined && { spec: stored.spec }) };
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        return { refusal: error.message };
      }
    },
    close: () => server.close(),
  };
};

/** `{ a: { b: value } }` of `a.b`. */
export const specWith = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
