import type { KindRef, ApiObject } from '@karpenter/api-server';
import { oneOfKind } from './rendered.ts';

interface SecretKey {
  readonly name: string;
  readonly key: string;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: SecretKey;
  };
}

interface Deployment extends ApiObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [{ readonly env: readonly Variable[] }] } } };
}

const deployments: KindRef<Deployment> = { kind: 'Deployment' };

interface Secret extends ApiObject {
  readonly stringData?: Readonly<Record<string, string>>;
}

const fromSecret = (objects: readonly ApiObject[], { name, key }: SecretKey): string => {
  const secret = objects.find((object): object is Secret => object.kind === 'Secret' && object.metadata.name === name);
  const text = secret?.stringData?.[key];
  if (text === undefined) throw new Error(`the chart makes no Secret ${name} with ${key}`);
  return text;
};

/** The environment in which a kubelet would start the controller of rendered objects. */
export const podEnvironment = (objects: readonly ApiObject[]): Readonly<Record<string, string>> => {
  const { metadata, spec } = oneOfKind(objects, deployments);
  const valueOf = ({ name, value, valueFrom }: Variable): string => {
    if (value !== undefined) return value;
    if (valueFrom?.fieldRef?.fieldPath === 'metadata.namespace') return metadata.namespace ?? '';
    if (valueFrom?.secretKeyRef !== undefined) return fromSecret(objects, valueFrom.secretKeyRef);
    throw new Error(`the chart says nothing of what ${name} is`);
  };
  return Object.fromEntries(spec.template.spec.containers[0].env.map((variable) => [variable.name, valueOf(variable)]));
};
