import type { AzureOptions } from '@karpenter/azure';
import { type HealthServer, type Logger, startHealthServer, systemClock } from '@karpenter/runtime';
import { azurePlugin } from './azure-plugin.ts';
import { checkCluster } from './check-cluster.ts';
import { connectionOf } from './connection.ts';
import { type AssembledController, assembleController } from './controller.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Settings } from './settings/options.ts';
import { StartError } from './start-error.ts';

export interface RunOptions {
  readonly settings: Settings;
  readonly azure: AzureOptions;
  readonly logger: Logger;
  /** Aborted when the process is told to stop. */
  readonly signal: AbortSignal;
}

const listen = async (
  what: string,
  port: number,
  options: Omit<Parameters<typeof startHealthServer>[0], 'port'>,
): Promise<HealthServer> => {
  try {
    return await startHealthServer({ port, ...options });
  } catch (error) {
    throw new StartError(`${what} ${port} cannot be listened on: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

const serve = async ({ manager, registry }: AssembledController, { healthProbePort, metricsPort }: Settings): Promise<AsyncDisposable> => {
  const servers = new AsyncDisposableStack();
  servers.use(await listen('--health-probe-port', healthProbePort, { healthz: manager.healthz, readyz: manager.readyz }));
  servers.use(await listen('--metrics-port', metricsPort, { metrics: registry }));
  return servers;
};

/** A bug has left the process in a state that nobody thought of: it says so and ends, and whoever watches over it starts it anew. */
const endWith = (logger: Logger) => (error: unknown, controller: string) => {
  logger.error('bug: the process ends', { controller, error });
  process.exit(EXIT.failed);
};

/**
 * Runs until the signal is aborted or leadership is lost.
 * Errors: StartError, when a person can do something about it.
 */
export const runController = async ({ settings, azure, logger, signal }: RunOptions): Promise<ExitCode> => {
  const connection = await connectionOf(settings);
  const options = { connection, settings, clock: systemClock, logger, plugin: azurePlugin(azure), onBug: endWith(logger) };
  const controller = assembleController(options);
  try {
    await checkCluster(controller.client, connection.server);
    await controller.start(signal);
    await using _servers = await serve(controller, settings);
    logger.info('started', { cluster: connection.server, location: azure.location, node: process.version });
    const end = await controller.manager.run(signal);
    logger.info('ended', { why: end });
    return end === 'lost' ? EXIT.failed : EXIT.ok;
  } finally {
    await controller.close();
  }
};
