import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { repository } from './repository.ts';

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

const crdPaths = (): readonly string[] => {
  const folder = repository('apps/controller/chart/crds');
  return readdirSync(folder).map((name) => join(folder, name));
};

/** Starts the embedded cluster in a process of its own, which keeps its files in `folder`. */
export const startCluster = ({ speed, folder }: { readonly speed: number; readonly folder: string }): ClusterChild => {
  const { promise: address, resolve } = Promise.withResolvers<ClusterAddress>();
  const child = startChild({
    name: 'the embedded cluster',
    args: [
      ...['--conditions=@karpenter/source', '--no-warnings', repository('tools/src/demo/cluster-process.ts')],
      `--speed=${speed}`,
      ...crdPaths().map((path) => `--crds=${path}`),
    ],
    env: { TMPDIR: folder },
    onLine: (line) => {
      if (line.startsWith('{"kubeconfigPath"')) resolve(JSON.parse(line) as ClusterAddress);
    },
  });
  return { ...child, address };
};
