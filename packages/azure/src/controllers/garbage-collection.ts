import type { NodeClaim } from '@karpenter/core';
import { type Orphan, orphanCollection } from '@karpenter/core/provider-kit';
import type { Clock, Logger, SingletonController } from '@karpenter/runtime';
import type { ArmApi, LooseDisk } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { claimNameOfMachine, machineNameOf, type MachineList } from '../machines/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';

export interface CollectionDeps {
  readonly kube: Pick<AzureKube, 'list'>;
  readonly machines: MachineList;
  readonly arm: Pick<ArmApi, 'deleteNic' | 'listLooseDisks' | 'deleteDisk'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 300_000;
/** Resource Graph and the cluster may disagree for a while. */
const SPARED_MS = 300_000;

const claimedNames = async (kube: CollectionDeps['kube'], signal: AbortSignal): Promise<ReadonlySet<string>> => {
  const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
  return new Set(items.map((claim) => machineNameOf(claim.metadata.name).toLowerCase()));
};

/** How claims are named: their pool, and five characters of chance by the original, or eight letters and digits by core. */
const CLAIM_NAME = /^.+-(?:[a-z0-9]{5}|(?!\d+$)[bcdfghjklmnpqrstvwxz2456789]{8})$/;
/** The name of a pool in those of its claims, which have no dots and an end. */
const inClaimNames = (pool: string): string => `${pool.replaceAll('.', '-').slice(0, 46)}-`;
/**
 * What AKS names itself: `aks-<pool>-12345678-vms0…` in pools of virtual machines, `…-vmss…` in scale sets, and disks
 * by Azure's own pattern.
 */
const NAMED_BY_AKS = /-\d{8}-vm|_OsDisk_/i;
/** Galleries of AKS, of its community (`AKSUbuntu-…`) and shared (`AKS-…`). */
const NODE_IMAGE = /\/(?:communitygalleries|galleries)\/aks/i;

/**
 * Whether a loose disk was a node's. Disks carry no tags: it boots from an image of nodes, and is named as a claim is.
 * A name alone says nothing, a volume may have any.
 */
const isNodeDisk = ({ name, imageId }: LooseDisk, poolNames: readonly string[]): boolean => {
  const claimName = claimNameOfMachine(name);
  if (claimName === undefined || imageId === undefined || !NODE_IMAGE.test(imageId) || NAMED_BY_AKS.test(name)) return false;
  return CLAIM_NAME.test(claimName) || poolNames.some((pool) => claimName.startsWith(inClaimNames(pool)));
};

/** Interfaces and disks that belong to no machine and no claim. */
const orphans = async ({ kube, machines, arm }: CollectionDeps, signal: AbortSignal): Promise<readonly Orphan[]> => {
  const nics = await machines.nics(signal);
  const disks = await arm.listLooseDisks(signal);
  const vms = new Set((await machines.vms(signal)).map((vm) => vm.name.toLowerCase()));
  const claimed = await claimedNames(kube, signal);
  const { items: pools } = await kube.list('NodePool', { signal });
  const poolNames = pools.map((pool) => pool.metadata.name);
  const isFree = (name: string): boolean => !vms.has(name.toLowerCase()) && !claimed.has(name.toLowerCase());
  return [
    ...nics.filter(isFree).map((name) => ({ name, remove: (until: AbortSignal) => arm.deleteNic(name, until) })),
    ...disks
      .filter((disk) => isFree(disk.name) && isNodeDisk(disk, poolNames))
      .map(({ name, createdAtMs }) => ({ name, createdAtMs, remove: (until: AbortSignal) => arm.deleteDisk(name, until) })),
  ];
};

/** Deletes network interfaces and OS disks that were left by machines that never came, or went badly. */
export const nicAndDiskCollection = (deps: CollectionDeps): SingletonController =>
  orphanCollection({
    ...{ name: 'networkinterface.garbagecollection', clock: deps.clock, logger: deps.logger },
    everyMs: EVERY_MS,
    sparedMs: SPARED_MS,
    find: (signal) => orphans(deps, signal),
    staysForNow: (error) => error instanceof ArmError && error.code === 'refused',
  });
