import { offlineCatalog } from '@karpenter/azure/catalog';
import { type Clock, systemClock } from '@karpenter/runtime';
import { type RunProgram, runProgram } from '../processes/run-program.ts';
import { type Kubectl, readKernel } from './kernel-reader.ts';
import { COMPUTE_API_VERSION, type Stage, type StageVm } from './stage.ts';

const CHECK_EVERY_MS = 15_000;
const HOUR_MS = 3_600_000;

/** Where the cluster is, and how it is reached. */
export interface AzureCluster {
  readonly subscriptionId: string;
  readonly nodeResourceGroup: string;
  readonly location: string;
  /** File that `kubectl` reads. */
  readonly kubeconfig: string;
}

/** What the cases need beside the cluster, made by the script that makes the cluster; what it prints. */
export type MakePart = (
  part: 'encryption-set' | 'registry' | 'small-subnet' | 'kubelet-identity' | 'update' | 'updated' | 'upgrade',
) => Promise<string>;

export interface AzureStageDeps {
  readonly run?: RunProgram;
  readonly make: MakePart;
  readonly restart: Stage['restart'];
  /** Default that of the machine. */
  readonly clock?: Clock;
  /** Ends what is waited for, and every program. */
  readonly signal?: AbortSignal | undefined;
}

/** What machines have cost. */
export interface MachineCost {
  readonly usd: number;
  /** Day of the list prices: `2026-06-18`. Undefined: none are known of the region. */
  readonly pricesAsOf: string | undefined;
}

export interface AzureStage extends Stage {
  /** The machines that were seen, for the time that they were seen, and the node of AKS itself. Spot is an estimate. */
  cost(): MachineCost;
}

/** The size of the node that AKS itself needs. It is in a scale set: lists of machines lack it. */
export const SYSTEM_NODE_SIZE = 'Standard_D2s_v5';

/** Adds up machine hours by size, from polls of what there is. */
const meter = (location: string, clock: Clock) => {
  const catalog = offlineCatalog(location);
  const sizes = new Map((catalog?.sizes ?? []).map((size) => [size.name.toLowerCase(), size]));
  const priceOf = (name: string, isSpot: boolean): number => {
    const size = sizes.get(name.toLowerCase());
    return (isSpot ? size?.estimatedSpotPricePerHour : undefined) ?? size?.pricePerHour ?? 0;
  };
  const startMs = clock.now();
  let [lastMs, usd] = [startMs, 0];
  return {
    see: (vms: readonly StageVm[]): void => {
      const hours = (clock.now() - lastMs) / HOUR_MS;
      lastMs = clock.now();
      for (const { properties } of vms) usd += hours * priceOf(properties.hardwareProfile.vmSize, properties.priority === 'Spot');
    },
    cost: (): MachineCost => {
      const ofSystem = ((clock.now() - startMs) / HOUR_MS) * priceOf(SYSTEM_NODE_SIZE, false);
      return { usd: usd + ofSystem, pricesAsOf: catalog?.pricesAsOf };
    },
  };
};

interface VmPage {
  readonly value: readonly StageVm[];
  readonly nextLink?: string;
}

type Parts = Pick<
  Stage,
  'restart' | 'diskEncryptionSet' | 'registryImage' | 'smallSubnet' | 'changeKubeletIdentity' | 'startUpdate' | 'upgrade'
>;

const partsOf = ({ make, restart }: AzureStageDeps): Parts => ({
  restart,
  diskEncryptionSet: () => make('encryption-set'),
  registryImage: () => make('registry'),
  smallSubnet: () => make('small-subnet'),
  changeKubeletIdentity: async () => {
    await make('kubelet-identity');
  },
  startUpdate: async () => {
    await make('update');
    return async () => {
      await make('updated');
    };
  },
  upgrade: () => make('upgrade'),
});

/** A real AKS cluster as a stage, by `kubectl` and `az`. */
export const azureStage = ({ subscriptionId, nodeResourceGroup, location, kubeconfig }: AzureCluster, deps: AzureStageDeps): AzureStage => {
  const { signal, run = runProgram(signal), clock = systemClock } = deps;
  const kubectl: Kubectl = (args, input) => run('kubectl', ['--kubeconfig', kubeconfig, ...args], input);
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}`;
  const costs = meter(location, clock);
  const vms = async (): Promise<readonly StageVm[]> => {
    const all: StageVm[] = [];
    let url: string | undefined = `${group}/providers/Microsoft.Compute/virtualMachines?api-version=${COMPUTE_API_VERSION}`;
    while (url !== undefined) {
      const page: VmPage = JSON.parse(await run('az', ['rest', '--method', 'get', '--url', url])) as VmPage;
      all.push(...page.value);
      url = page.nextLink;
    }
    costs.see(all);
    return all;
  };
  return {
    location,
    vms,
    cost: costs.cost,
    create: async (...items) => {
      await kubectl(['create', '--filename', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    },
    kernelOf: (nodeName) => readKernel(kubectl, nodeName),
    patch: async (kind, name, body) => {
      await kubectl(['patch', kind, name, '--type', 'merge', '--patch', JSON.stringify(body)]);
    },
    remove: async (kind, name) => {
      await kubectl(['delete', kind, name, '--ignore-not-found', '--wait=false']);
    },
    list: async <T>(kind: string) =>
      (JSON.parse(await kubectl(['get', kind, '--output', 'json'])) as { readonly items: readonly T[] }).items,
    evict: async (name) => {
      await run('az', ['vm', 'simulate-eviction', '--subscription', subscriptionId, '--resource-group', nodeResourceGroup, '--name', name]);
    },
    until: async (what, isSo, minutes = 20) => {
      const endMs = clock.now() + minutes * 60_000;
      while (!(await isSo())) {
        if (clock.now() > endMs) throw new Error(`after ${minutes} minutes it is not so that ${what}`);
        await clock.sleep(CHECK_EVERY_MS, signal);
      }
    },
    pass: (ms) => clock.sleep(ms, signal),
    ...partsOf(deps),
  };
};
