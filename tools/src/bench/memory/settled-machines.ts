import { CloudProviderError } from '@karpenter/core';
import type { Machine, NodeClaim } from '@karpenter/core';
import { simulatedNodeClassKind } from '@karpenter/simulator';
import type { ApiObject } from '@karpenter/api-server';
import { KWOK_ZONES } from '../controller/kwok-types.ts';
import type { Answers } from '../controller/rpc.ts';

/** An object that comes with its status. */
export type Settled = ApiObject & { readonly status: object };

const TYPE = 'c-16x-amd64-linux';
const CREATED = '2026-05-01T00:00:00Z';
const { group, kind } = simulatedNodeClassKind;
const others = { 'ephemeral-storage': '100G', pods: '256' };
const room = { capacity: { cpu: '16', memory: '32Gi', ...others }, allocatable: { cpu: '15900m', memory: '32758Mi', ...others } };

const conditionsOf = (...types: readonly string[]) =>
  types.map((type) => ({ type, status: 'True' as const, reason: type, message: '', lastTransitionTime: CREATED }));

const nameAt = (index: number): string => `default-${String(index).padStart(5, '0')}`;
const providerIdAt = (index: number): string => `settled:///${nameAt(index)}`;

const labelsAt = (index: number): Readonly<Record<string, string>> => ({
  ...{ 'karpenter.sh/nodepool': 'default', 'karpenter.sh/capacity-type': 'spot', 'node.kubernetes.io/instance-type': TYPE },
  ...{ 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' },
  'topology.kubernetes.io/zone': KWOK_ZONES[index % KWOK_ZONES.length] ?? '',
});

const claimAt = (index: number): NodeClaim & Settled => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: nameAt(index), labels: labelsAt(index), finalizers: ['karpenter.sh/termination'] },
  spec: {
    nodeClassRef: { group, kind, name: 'default' },
    expireAfter: 'Never',
    requirements: Object.entries(labelsAt(index)).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })),
    resources: { requests: { cpu: '15600m', memory: '20Gi' } },
  },
  status: {
    ...room,
    providerID: providerIdAt(index),
    nodeName: nameAt(index),
    conditions: conditionsOf('Launched', 'Registered', 'Initialized', 'Ready'),
  },
});

/** As a kubelet reports the images that it has: they are what makes a node large. */
const images = Array.from({ length: 50 }, (_, image) => ({
  names: [
    `registry.example.com/platform/service-${image}@sha256:${String(image).padStart(64, '0')}`,
    `registry.example.com/platform/service-${image}:2026.3.${image}`,
  ],
  sizeBytes: 100_000_000 + image,
}));

const managedFields = ['kubelet', 'kube-controller-manager', 'cloud-node-manager'].map((manager) => ({
  ...{ manager, operation: 'Update', apiVersion: 'v1', time: CREATED, fieldsType: 'FieldsV1' },
  fieldsV1: { 'f:metadata': { 'f:labels': Object.fromEntries(Object.keys(labelsAt(0)).map((key) => [`f:${key}`, {}])) } },
}));

const nodeAt = (index: number): Settled => {
  const name = nameAt(index);
  const marks = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true', 'kubernetes.io/hostname': name };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labelsAt(index), ...marks }, finalizers: ['karpenter.sh/termination'], managedFields },
    spec: { providerID: providerIdAt(index), podCIDR: '10.244.0.0/24' },
    status: {
      ...room,
      conditions: conditionsOf('Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure').map((each) =>
        each.type === 'Ready' ? each : { ...each, status: 'False' },
      ),
      addresses: [
        { type: 'InternalIP', address: `10.0.${index % 200}.${index % 250}` },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: { kernelVersion: '6.8.0-1034-azure', osImage: 'Ubuntu 24.04.2 LTS', kubeletVersion: 'v1.34.2', architecture: 'amd64' },
      images,
    },
  } as Settled;
};

const machineAt = (index: number): Machine => ({
  providerId: providerIdAt(index),
  claimName: nameAt(index),
  labels: labelsAt(index),
  ...room,
});

/** A cloud in which machines are by saying so, with their claims and nodes. */
export const settledMachines = () => {
  const machines = new Map<string, Machine>();
  const byClaim = new Map<string, Machine>();
  const idOf = ({ status }: NodeClaim): string => status?.providerID ?? '';
  const answers: Answers = {
    // A claim may be seen before its status: its machine is requested then, and exists.
    create: ({ metadata }: NodeClaim) => {
      const machine = byClaim.get(metadata.name);
      if (machine !== undefined) return machine;
      throw new CloudProviderError('insufficient-capacity', `nothing is left for ${metadata.name}`);
    },
    delete: (claim: NodeClaim) => {
      byClaim.delete(claim.metadata.name);
      return machines.delete(idOf(claim)) ? 'terminating' : 'gone';
    },
    get: (providerId: string) => machines.get(providerId),
    list: () => [...machines.values()],
    isDrifted: () => undefined,
  };
  return {
    nameAt,
    answers,
    /** The machine is there from now on; gives its claim and its node. */
    start: (index: number): readonly Settled[] => {
      machines.set(providerIdAt(index), machineAt(index));
      byClaim.set(nameAt(index), machineAt(index));
      return [claimAt(index), nodeAt(index)];
    },
  };
};
