import { fork } from 'node:child_process';
import { chartEnvironment, chartFlags } from '../../chart-process.ts';
import type { Answers, Ask } from './rpc.ts';
import { bundleModule } from './bundled.ts';
import { rpcOver } from './rpc.ts';

/** A controller in a process of its own, which ends when it is disposed of. */
export interface BenchController extends Disposable {
  readonly ask: Ask;
}

/** Where a controller stands: its API server, the time, and what answers for the cloud. */
export interface ChildWorld {
  readonly server: string;
  readonly startMs: number;
  readonly cloud: Answers;
}

/** The controller's process, bundled once, to be started again and again. */
export interface ControllerBundle extends Disposable {
  start(world: ChildWorld): BenchController;
}

/** Bundles it. */
export const controllerBundle = async (): Promise<ControllerBundle> => {
  const bundle = await bundleModule(new URL('./controller-process.ts', import.meta.url));
  return {
    start: ({ server, startMs, cloud }) => {
      const child = fork(bundle.path, [server, String(startMs)], {
        execArgv: ['--expose-gc', ...chartFlags],
        env: { ...process.env, ...chartEnvironment },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      return { ask: rpcOver(child, cloud), [Symbol.dispose]: () => void child.kill('SIGKILL') };
    },
    [Symbol.dispose]: () => bundle[Symbol.dispose](),
  };
};
