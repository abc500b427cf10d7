import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import { type HealthServer, isFailure, type Logger, startHealthServer, systemClock } from '@karpenter/runtime';
import manifest from '../package.json' with { type: 'json' };
import { cannotListen } from './listen-error.ts';
import { checkCluster } from './cluster-check.ts';
import { collectAtRest } from './idle-collection.ts';
import { connectionOf } from './connection.ts';
import { type AssembledController, assembleController, type ControllerOptions } from './controller.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { ConfiguredPlugin } from './plugin/configured-plugin.ts';
import type { Settings } from './settings/options.ts';
import { planMarksFile, planMarksPath } from './plan-marks-file.ts';
import { type DecisionRelay, decisionRelay, serveDashboard } from './dashboard-server.ts';
import { withinStart } from './start-deadline.ts';

export interface RunOptions {
  readonly settings: Settings;
  readonly plugin: ConfiguredPlugin;
  readonly defaultSpread: readonly TopologySpreadConstraint[];
  readonly logger: Logger;
  /** Aborted when the process receives a signal to stop. */
  readonly signal: AbortSignal;
}

const listen = async (
  flag: string,
  port: number,
  options: Omit<Parameters<typeof startHealthServer>[0], 'port'>,
): Promise<HealthServer> => {
  try {
    return await startHealthServer({ port, ...options });
  } catch (error) {
    throw cannotListen({ flag, port }, error);
  }
};

const serve = async (
  { manager, registry, dashboard }: AssembledController,
  { settings, logger }: RunOptions,
  relay: DecisionRelay,
): Promise<AsyncDisposable> => {
  const { healthProbePort, metricsPort, dashboardPort } = settings;
  await using servers = new AsyncDisposableStack();
  servers.use(await listen('--health-probe-port', healthProbePort, { healthz: manager.healthz, readyz: manager.readyz }));
  servers.use(await listen('--metrics-port', metricsPort, { metrics: registry }));
  if (dashboardPort !== 0) servers.use(await serveDashboard({ settings, source: dashboard, relay, logger }));
  return servers.move();
};

/** Logs why the state of the process can no longer be trusted, and exits, so that the kubelet restarts it. */
const endWith = (logger: Logger) => (error: unknown, part: string) => {
  logger.error('the state of the process can no longer be trusted: it ends', { part, error });
  process.exit(EXIT.failed);
};

/** Asks the cluster and the cloud for what the first reconcile will need. If one of them does not answer, the start fails. */
const prepare = async (controller: AssembledController, options: ControllerOptions, signal: AbortSignal): Promise<void> => {
  const { clock, plugin, settings } = options;
  const { server } = options.connection;
  const { nodeOverlay, capacityBuffer, rebalancePlan } = settings.featureGates;
  const overlays = nodeOverlay ? ['NodeOverlay'] : [];
  const buffers = capacityBuffer ? ['CapacityBuffer'] : [];
  const plans = rebalancePlan ? ['RebalancePlan'] : [];
  const devices = settings.ignoreDraRequests ? [] : ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'];
  const kinds = ['NodePool', 'NodeClaim', ...plugin.nodeClassKinds.map(({ kind }) => kind)];
  const check = { client: controller.client, server, kinds, optionalKinds: [...overlays, ...buffers, ...plans, ...devices] };
  await withinStart({ clock, signal, who: `the API server at ${server}`, run: (limited) => checkCluster(check, limited) });
  await withinStart({ clock, signal, who: plugin.title, run: (limited) => controller.start(limited) });
};

const runUntilEnd = async (
  controller: AssembledController,
  options: ControllerOptions & { readonly reporter: DecisionRelay },
  run: RunOptions,
): Promise<ExitCode> => {
  const { plugin, logger, signal, defaultSpread } = run;
  await prepare(controller, options, signal);
  await using _servers = await serve(controller, run, options.reporter);
  const { version } = manifest;
  logger.info('started', { version, cluster: options.connection.server, provider: plugin.title, ...plugin.about, node: process.version });
  if (defaultSpread.length > 0) logger.info('pods without a spread of their own are spread by default', { constraints: defaultSpread });
  void collectAtRest({ clock: options.clock, signal });
  const end = await controller.manager.run(signal);
  logger.info('ended', { why: end });
  return end === 'lost' ? EXIT.failed : EXIT.ok;
};

/**
 * Runs until the signal is aborted or leadership is lost.
 * Errors: StartError, when a person can do something about it.
 */
export const runKarpenter = async (run: RunOptions): Promise<ExitCode> => {
  const { settings, plugin, logger, signal, defaultSpread } = run;
  const connection = await connectionOf(settings);
  const lease = `${settings.leaderElectionNamespace}/${settings.leaderElectionName}`;
  const marked = { cluster: connection.server, lease, ports: [settings.metricsPort, settings.healthProbePort] };
  const planMarks = planMarksFile(planMarksPath(marked), logger);
  const listMarks = planMarksFile(planMarksPath(marked, 'lists'), logger);
  const reporter = decisionRelay();
  const options = {
    connection,
    settings,
    defaultSpread,
    clock: systemClock,
    logger,
    plugin,
    planMarks,
    listMarks,
    reporter,
    onFatal: endWith(logger),
  };
  const controller = assembleController(options);
  try {
    return await runUntilEnd(controller, options, run);
  } catch (error) {
    // Stopped while still starting: calls under way have failed because of that.
    if (signal.aborted && isFailure(error)) return EXIT.ok;
    throw error;
  } finally {
    await controller.close();
  }
};
