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

const crdPaths = (): readonly string[] => {
  const folder = repository('apps/controller/chart/crds');
  return readdirSync(folder).map((name) => join(folder, name));
};

/** Starts the embedded cluster in a process of its own and waits until it says how to reach it. */
export const startCluster = async (speed: number): Promise<{ readonly child: Child; readonly address: ClusterAddress }> => {
  const said: string[] = [];
  const { promise, resolve } = Promise.withResolvers<ClusterAddress>();
  const child = startChild({
    name: 'the embedded cluster',
    args: [
      ...['--conditions=@karpenter/source', '--no-warnings', repository('tools/src/demo/cluster-process.ts')],
      `--speed=${speed}`,
      ...crdPaths().map((path) => `--crds=${path}`),
    ],
    onLine: (line) => {
      if (line.startsWith('{"kubeconfigPath"')) resolve(JSON.parse(line) as ClusterAddress);
      else said.push(line);
    },
  });
  const died = child.ended.then((how) => {
    throw new Error(`the embedded cluster ended (${how}): ${said.slice(-10).join('\n')}`);
  });
  return { child, address: await Promise.race([promise, died]) };
};
