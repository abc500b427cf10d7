import type { Node, NodeClaim, Pod } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { describe, expect, test } from '@jest/globals';
import { type AzureState, type JudgedCluster, problemsOf } from './cluster-problems.ts';
import { ALONE, SHARED } from './fault-workloads.ts';

/** A cluster in parts that a test may spoil. */
interface Parts {
  pods: (Pod & KubeObject)[];
  nodes: (Node & KubeObject)[];
  claims: (NodeClaim & KubeObject)[];
  vms: ReturnType<AzureState['vms']>[number][];
  nics: ReturnType<AzureState['nics']>[number][];
  disks: ReturnType<AzureState['disks']>[number][];
}

const idOf = (name: string): string => `/subscriptions/s/resourceGroups/nodes/providers/Microsoft.Compute/virtualMachines/aks-${name}`;
const providerIdOf = (name: string): string => `azure://${idOf(name)}`;

const runningPod = (app: string, name: string, nodeName: string): Pod & KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', labels: { app } } },
  ...{ spec: { nodeName, containers: [] }, status: { phase: 'Running' } },
});

const nodeOf = (name: string, pool: string): Node & KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: { name: `aks-${name}`, labels: { 'karpenter.sh/nodepool': pool, generation: 'g1' } },
  spec: { providerID: providerIdOf(name), taints: [{ key: 'dedicated', effect: 'NoSchedule' }] },
});

const claimOf = (name: string): NodeClaim & KubeObject => ({
  ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name } },
  spec: { requirements: [], nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' } },
  // Azure does not keep the case of what it is given.
  status: { providerID: providerIdOf(name).toUpperCase(), conditions: [] },
});

/** Two pods that stand alone on a node each, and two that share one. */
const sound = (): Parts => {
  const names = ['one', 'two', 'three'];
  return {
    pods: [
      ...names.slice(0, 2).map((name) => runningPod(ALONE.name, `alone-${name}`, `aks-${name}`)),
      ...['x', 'y'].map((name) => runningPod(SHARED.name, `shared-${name}`, 'aks-three')),
    ],
    nodes: names.map((name) => nodeOf(name, name === 'three' ? SHARED.pool : ALONE.pool)),
    claims: names.map(claimOf),
    vms: names.map((name) => ({ id: idOf(name), name: `aks-${name}`, providerId: providerIdOf(name) })),
    nics: names.map((name) => ({ name: `aks-${name}`, vmId: idOf(name).toUpperCase() })),
    disks: names.map((name) => ({ name: `aks-${name}-os`, managedBy: idOf(name) })),
  };
};

const clusterOf = ({ pods, nodes, claims, vms, nics, disks }: Parts): JudgedCluster => ({
  ...{ pods: () => Promise.resolve(pods), nodes: () => Promise.resolve(nodes), claims: () => Promise.resolve(claims) },
  real: { arm: { vms: () => vms, nics: () => nics, disks: () => disks } },
});

const wanted = { alone: 2, shared: 2, sharedNodes: 1, generation: 'g1' };

const changed = <T extends KubeObject>(objects: readonly T[], at: number, change: (object: T) => object): T[] =>
  objects.map((object, index) => (index === at ? { ...object, ...change(object) } : object));

const deleted = ({ metadata }: KubeObject) => ({ metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
const strayVm = { id: idOf('stray'), name: 'aks-stray', providerId: providerIdOf('stray') };

/** What is spoilt, how, and all that is then found. */
const spoilt: Readonly<Record<string, readonly [spoil: (parts: Parts) => Partial<Parts>, found: readonly string[]]>> = {
  'a machine is lost': [
    ({ vms, nics, disks }) => ({ vms: vms.slice(1), nics: nics.slice(1), disks: disks.slice(1) }),
    ['sides differ: {"claims":3,"nodes":3,"vms":2,"nics":2,"disks":2}', 'no machine for one, aks-one'],
  ],
  'a machine is there that no claim names': [
    ({ vms }) => ({ vms: [...vms, strayVm] }),
    ['sides differ: {"claims":3,"nodes":3,"vms":4,"nics":3,"disks":3}', 'left over: machine aks-stray'],
  ],
  'a machine is lost and another left over, so that their number is right': [
    ({ vms }) => ({ vms: [...vms.slice(1), strayVm] }),
    ['no machine for one, aks-one', 'left over: machine aks-stray, interface aks-one, disk aks-one-os'],
  ],
  'a node is left of a machine that is gone': [
    ({ nodes }) => ({ nodes: [...nodes, nodeOf('gone', 'old')] }),
    ['sides differ: {"claims":3,"nodes":4,"vms":3,"nics":3,"disks":3}', 'no machine for aks-gone'],
  ],
  'a node is missing': [
    ({ nodes }) => ({ nodes: nodes.slice(1) }),
    [
      '1 of 2 pods of alone run on a node, wanted 2',
      'sides differ: {"claims":3,"nodes":2,"vms":3,"nics":3,"disks":3}',
      '1 nodes of small, wanted 2',
    ],
  ],
  'a claim is left without a machine': [
    ({ claims }) => ({ claims: [...claims, { ...claimOf('new'), status: {} }] }),
    ['sides differ: {"claims":4,"nodes":3,"vms":3,"nics":3,"disks":3}', 'no machine for new'],
  ],
  'an interface is left over': [
    ({ nics }) => ({ nics: [...nics, { name: 'aks-stray', vmId: undefined }] }),
    ['sides differ: {"claims":3,"nodes":3,"vms":3,"nics":4,"disks":3}', 'left over: interface aks-stray'],
  ],
  'an interface is of a machine that is gone, in the place of another': [
    ({ nics }) => ({ nics: [...nics.slice(1), { name: 'aks-gone', vmId: idOf('gone') }] }),
    ['left over: interface aks-gone'],
  ],
  'a disk is left over': [
    ({ disks }) => ({ disks: [...disks, { name: 'aks-stray-os', managedBy: undefined }] }),
    ['sides differ: {"claims":3,"nodes":3,"vms":3,"nics":3,"disks":4}', 'left over: disk aks-stray-os'],
  ],
  'a pod is not bound': [
    ({ pods }) => ({ pods: changed(pods, 0, () => ({ spec: { containers: [] }, status: { phase: 'Pending' } })) }),
    ['1 of 2 pods of alone run on a node, wanted 2'],
  ],
  'a pod is bound and does not run': [
    ({ pods }) => ({ pods: changed(pods, 3, () => ({ status: { phase: 'Pending' } })) }),
    ['1 of 2 pods of shared run on a node, wanted 2'],
  ],
  'a pod is on a node that is gone': [
    ({ pods }) => ({ pods: changed(pods, 0, () => ({ spec: { nodeName: 'aks-gone', containers: [] } })) }),
    ['1 of 2 pods of alone run on a node, wanted 2'],
  ],
  'a pod is missing': [({ pods }) => ({ pods: pods.slice(0, 3) }), ['1 of 1 pods of shared run on a node, wanted 2']],
  'a pod is there twice': [
    ({ pods }) => ({ pods: [...pods, runningPod(SHARED.name, 'shared-z', 'aks-three')] }),
    ['3 of 3 pods of shared run on a node, wanted 2'],
  ],
  'a taint of Karpenter is left': [
    ({ nodes }) => ({
      nodes: changed(nodes, 1, ({ spec }) => ({ spec: { ...spec, taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } })),
    }),
    ['tainted by Karpenter: aks-two'],
  ],
  'a claim is being deleted': [({ claims }) => ({ claims: changed(claims, 1, deleted) }), ['still being deleted: two']],
  'a node is being deleted': [({ nodes }) => ({ nodes: changed(nodes, 1, deleted) }), ['still being deleted: aks-two']],
  'a claim is still chosen for disruption': [
    ({ claims }) => ({
      claims: changed(claims, 1, ({ status }) => ({
        status: {
          ...status,
          conditions: [{ type: 'DisruptionReason', status: 'True', reason: 'Drifted', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      })),
    }),
    ['still chosen for disruption: two'],
  ],
  'pods share more nodes than they need': [
    ({ nodes }) => ({ nodes: changed(nodes, 0, () => ({ metadata: nodeOf('one', SHARED.pool).metadata })) }),
    ['1 nodes of small, wanted 2', '2 nodes of mixed, wanted 1'],
  ],
  'a node has not drifted yet': [
    ({ nodes }) => ({
      nodes: changed(nodes, 2, ({ metadata }) => ({ metadata: { ...metadata, labels: { ...metadata.labels, generation: 'g0' } } })),
    }),
    ['drifted: aks-three'],
  ],
};

describe('a cluster after a fault', () => {
  test('nothing is found in a sound one', async () => {
    expect(await problemsOf(clusterOf(sound()), wanted)).toEqual([]);
  });

  test('any number of shared nodes is right where none is wanted', async () => {
    const { sharedNodes: _, ...anyNodes } = wanted;
    expect(await problemsOf(clusterOf(sound()), anyNodes)).toEqual([]);
  });

  test.each(Object.entries(spoilt))('%s: that is found, and nothing else', async (_, [spoil, found]) => {
    const parts = sound();
    expect(await problemsOf(clusterOf({ ...parts, ...spoil(parts) }), wanted)).toEqual(found);
  });
});
