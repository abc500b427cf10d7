import {
  allocatableOf,
  epochMsOf,
  type LabelCatalog,
  labels,
  type Machine,
  type Node,
  type NodeClaim,
  quantitiesOf,
  timestampOf,
  unregisteredTaint,
} from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { claimNameOf, IMAGE_ANNOTATION, KWOK_NODE, offeringLabels, providerIdOf } from '../apis/kwok-names.ts';
import type { MachinePurchase } from './purchase.ts';

type Quantities = Readonly<Record<string, string>>;
type Labels = Readonly<Record<string, string>>;

/** A machine of this provider: a Node that there is, or that joins later. */
export interface KwokMachine {
  readonly claimName: string;
  readonly createdAtMs: number;
  /** The text of the NodeClass; empty where it names no image. */
  readonly image: string;
  readonly labels: Labels;
  readonly capacity: Quantities;
  readonly allocatable: Quantities;
}

/** Labels of the type that have one value, and those of the offering. */
const boughtLabels = ({ type, offering }: MachinePurchase): Labels => {
  const single = [...type.requirements.values(), ...offering.requirements.values()].flatMap(({ key, values }) => {
    const [value, ...others] = values.kind === 'in' ? values.values : [];
    return value === undefined || others.length > 0 ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(single), ...offeringLabels(offering.zone, offering.capacityType) };
};

/** The machine that is made by a purchase. */
export const newMachine = (purchase: MachinePurchase, made: Pick<KwokMachine, 'claimName' | 'createdAtMs' | 'image'>): KwokMachine => ({
  ...made,
  labels: boughtLabels(purchase),
  capacity: quantitiesOf(purchase.type.capacity),
  allocatable: quantitiesOf(allocatableOf(purchase.type)),
});

const texts = (list: Readonly<Record<string, string | number>> | undefined): Quantities =>
  Object.fromEntries(Object.entries(list ?? {}).map(([name, amount]) => [name, String(amount)]));

const known = (all: Labels | undefined, { wellKnown }: LabelCatalog): Labels =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => wellKnown.has(key) && key !== labels.nodePool));

/** The machine behind a node; undefined where it is another provider's. */
export const machineOfNode = ({ metadata, spec, status }: Node, catalog: LabelCatalog): KwokMachine | undefined => {
  const claimName = claimNameOf(spec?.providerID);
  if (claimName === undefined || metadata.labels?.[KWOK_NODE.key] !== KWOK_NODE.value) return undefined;
  return {
    claimName,
    createdAtMs: epochMsOf(metadata.creationTimestamp) ?? 0,
    image: metadata.annotations?.[IMAGE_ANNOTATION] ?? '',
    labels: known(metadata.labels, catalog),
    capacity: texts(status?.capacity),
    allocatable: texts(status?.allocatable),
  };
};

/** The machine of a claim that was launched and whose node has not joined; undefined where the claim was not launched here. */
export const machineOfClaim = ({ metadata, status }: NodeClaim, catalog: LabelCatalog): KwokMachine | undefined => {
  const claimName = claimNameOf(status?.providerID);
  if (claimName !== metadata.name) return undefined;
  return {
    claimName,
    createdAtMs: epochMsOf(metadata.creationTimestamp) ?? 0,
    image: status?.imageID ?? '',
    labels: known(metadata.labels, catalog),
    capacity: texts(status?.capacity),
    allocatable: texts(status?.allocatable),
  };
};

/** The machine as core sees it. */
export const asMachine = ({ claimName, createdAtMs, image, labels: own, capacity, allocatable }: KwokMachine): Machine => ({
  providerId: providerIdOf(claimName),
  ...{ claimName, labels: own, capacity, allocatable },
  createdAt: timestampOf(createdAtMs),
  ...(image === '' ? {} : { imageId: image }),
});

/** The Node with which the machine joins; kwok finds it by label and annotation, and does what a kubelet does. */
export const nodeOf = ({ claimName, image, labels: own, capacity, allocatable }: KwokMachine): Node & KubeObject => {
  const mark = { [KWOK_NODE.key]: KWOK_NODE.value };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: claimName,
      labels: { ...own, ...mark, [labels.hostname]: claimName },
      annotations: image === '' ? mark : { ...mark, [IMAGE_ANNOTATION]: image },
    },
    spec: { providerID: providerIdOf(claimName), taints: [unregisteredTaint] },
    status: { capacity, allocatable },
  };
};
