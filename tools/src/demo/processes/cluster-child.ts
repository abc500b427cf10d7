import { type Child, startChild } from './child.ts';
import { chartCrds } from '../../chart-crds.ts';
import { repository } from '../../repository.ts';

/** How to reach the cluster process. */
export interface ClusterAddress {
  readonly kubeconfigPath: string;
  /** What a controller process needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ClusterChild extends Child {
  /** Resolves when the cluster can be reached. Never, when the process ends before. */
  readonly address: Promise<ClusterAddress>;
}

/** How the line begins in which the process says how to reach it. */
const ADDRESS = '{"kubeconfigPath"';

/** Starts the embedded cluster in a process of its own, which keeps its files in `folder`. */
export const startCluster = ({ speed, folder }: { readonly speed: number; readonly folder: string }): ClusterChild => {
  const { promise: address, resolve } = Promise.withResolvers<ClusterAddress>();
  const child = startChild({
    name: 'the embedded cluster',
    args: [repository('tools/dist/cluster-process.js'), `--speed=${speed}`, ...chartCrds().map((path) => `--crds=${path}`)],
    env: { TMPDIR: folder },
    onLine: (line) => {
      if (line.startsWith(ADDRESS)) resolve(JSON.parse(line) as ClusterAddress);
    },
  });
  // The line with the address is not for people: it holds all settings of a controller.
  return { ...child, address, lastLines: () => child.lastLines().filter((line) => !line.startsWith(ADDRESS)) };
};
