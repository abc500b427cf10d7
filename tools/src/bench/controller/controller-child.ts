import { fork } from 'node:child_process';
import type { Answers, Ask } from './rpc.ts';
import { bundled } from './bundled.ts';
import { rpcOver } from './rpc.ts';

/** A controller in a process of its own, which ends when it is disposed of. */
export interface ControllerChild extends Disposable {
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
  start(world: ChildWorld): ControllerChild;
}

/** As the chart's NODE_OPTIONS are: young objects get a third of what V8 would give them on a large machine, where it lets them have 128 MiB. */
const HEAP = ['--max-old-space-size=768', '--max-semi-space-size=16'];

/** Bundles it. */
export const controllerBundle = async (): Promise<ControllerBundle> => {
  const bundle = await bundled(new URL('./controller-process.ts', import.meta.url));
  return {
    start: ({ server, startMs, cloud }) => {
      const child = fork(bundle.path, [server, String(startMs)], {
        execArgv: ['--expose-gc', ...HEAP],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      return { ask: rpcOver(child, cloud), [Symbol.dispose]: () => void child.kill('SIGKILL') };
    },
    [Symbol.dispose]: () => bundle[Symbol.dispose](),
  };
};
