import { offlineCatalog } from '@karpenter/azure/catalog';
import { systemClock } from '@karpenter/runtime';
import { type RunProgram, runProgram } from '../processes/run-program.ts';
import { COMPUTE_API_VERSION, type Stage, type StageVm } from './stage.ts';

const LOOK_EVERY_MS = 15_000;
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
  /** Ends what is waited for, and every program. */
  readonly signal?: AbortSignal | undefined;
}

export interface AzureStage extends Stage {
  /** List price of the machines that were seen, for the time that they were seen: USD. */
  cost(): number;
}

/** Adds up machine hours by size, from looks at what there is. */
const meter = (location: string) => {
  const prices = new Map((offlineCatalog(location)?.sizes ?? []).map(({ name, pricePerHour }) => [name.toLowerCase(), pricePerHour]));
  let [lastMs, cost] = [systemClock.now(), 0];
  return {
    see: (vms: readonly StageVm[]): void => {
      const hours = (systemClock.now() - lastMs) / HOUR_MS;
      lastMs += hours * HOUR_MS;
      for (const { properties } of vms) cost += hours * (prices.get(properties.hardwareProfile.vmSize.toLowerCase()) ?? 0);
    },
    cost: () => cost,
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
  const { signal, run = runProgram(signal) } = deps;
  const kubectl = (args: readonly string[], input?: string): Promise<string> =>
    run('kubectl', ['--kubeconfig', kubeconfig, ...args], input);
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}`;
  const costs = meter(location);
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
      const endMs = systemClock.now() + minutes * 60_000;
      while (!(await isSo())) {
        if (systemClock.now() > endMs) throw new Error(`after ${minutes} minutes it is not so that ${what}`);
        await systemClock.sleep(LOOK_EVERY_MS, signal);
      }
    },
    pass: (ms) => systemClock.sleep(ms, signal),
    ...partsOf(deps),
  };
};
