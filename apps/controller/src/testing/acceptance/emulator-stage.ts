import { callAzure } from '../takeover/call-azure.ts';
import type { Story } from '../stories/story.ts';
import { COMPUTE_API_VERSION, type NodeKernel, type Stage, type StageVm } from './stage.ts';

const CHECK_EVERY_MS = 15_000;

/** What is done at once, as a promise. */
const asPromise = <T>(act: () => T): Promise<T> => Promise.resolve().then(act);

const isNamespaced = (kind: string): boolean => ['Deployment', 'DaemonSet', 'Pod'].includes(kind);
const keyOf = (kind: string, name: string) => (isNamespaced(kind) ? { namespace: 'default', name } : { name });

/** A subnet of three addresses, where the emulator was given one. */
export const SMALL_SUBNET = 'small';

const NEXT_VERSION = '1.36.0';

const UPDATE_MS = 120_000;

/** What the scripts of its image made of an emulated node. */
const kernelOf = ({ cluster }: Story, nodeName: string): NodeKernel => {
  const bootstrap = cluster.bootstraps.get(nodeName);
  if (bootstrap === undefined) throw new Error(`${nodeName} is no node of the emulated Azure`);
  const { sysctls, transparentHugePages, swapFileSizeMB } = bootstrap.settings;
  const { enabled = '', defrag = '' } = transparentHugePages;
  return { swappiness: sysctls['vm.swappiness'] ?? '', hugePages: { enabled, defrag }, swapMB: swapFileSizeMB };
};

/** The embedded cluster and its emulated Azure as a stage. `variables` are those of the controller. */
export const emulatorStage = (story: Story, variables: Readonly<Record<string, string>>): Stage => {
  const { local, arm } = story.cluster;
  return {
    location: arm.account.location,
    create: (...objects) => asPromise(() => story.create(...objects)),
    patch: (kind, name, body) => asPromise(() => void local.patch(kind, keyOf(kind, name), { type: 'merge', body })),
    remove: (kind, name) =>
      asPromise(() => {
        if (local.get(kind, keyOf(kind, name)) !== undefined) local.delete(kind, keyOf(kind, name));
      }),
    list: (kind) => asPromise(() => local.list(kind, isNamespaced(kind) ? { namespace: 'default' } : {})),
    vms: async () => {
      const { subscriptionId, nodeResourceGroup } = arm.account;
      const group = `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}`;
      const path = `${group}/providers/Microsoft.Compute/virtualMachines?api-version=${COMPUTE_API_VERSION}`;
      return (await callAzure(arm, { method: 'GET', path }))['value'] as readonly StageVm[];
    },
    kernelOf: (nodeName) => asPromise(() => kernelOf(story, nodeName)),
    evict: (name) => asPromise(() => arm.evict(name)),
    until: async (what, isSo, minutes = 12) => {
      for (let leftMs = minutes * 60_000; !(await isSo()); leftMs -= CHECK_EVERY_MS) {
        if (leftMs < 0) throw new Error(`after ${minutes} minutes it is not so that ${what}: ${JSON.stringify(story.census())}`);
        await story.pass(CHECK_EVERY_MS);
      }
    },
    pass: (ms) => story.pass(ms),
    restart: async (more) => {
      await story.stop();
      await story.start({ ...variables, ...more });
    },
    diskEncryptionSet: () => Promise.resolve(arm.account.diskEncryptionSetId),
    registryImage: () => Promise.resolve('emulated.azurecr.io/pause:3.9'),
    smallSubnet: () => Promise.resolve(arm.account.subnetId.replace(/[^/]+$/, SMALL_SUBNET)),
    changeKubeletIdentity: () => asPromise(() => arm.driftMachines('Recreate')),
    startUpdate: () =>
      asPromise(() => {
        const [pool = ''] = arm.account.backendPoolIds;
        // Interfaces that name the load balancer are refused meanwhile.
        arm.updateNetwork(pool.replace(/\/backendAddressPools\/.*/, ''), UPDATE_MS);
        const endMs = story.cluster.clock.now() + UPDATE_MS;
        return () => story.pass(Math.max(0, endMs - story.cluster.clock.now()));
      }),
    upgrade: () => {
      story.cluster.upgrade(NEXT_VERSION);
      return Promise.resolve(NEXT_VERSION);
    },
  };
};
