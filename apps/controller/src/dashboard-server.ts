import type { DecisionReporter } from '@karpenter/core/internal';
import { type Logger, systemClock } from '@karpenter/runtime';
import type { DashboardOptions } from '@karpenter/dashboard';
import { cannotListen } from './listen-error.ts';
import type { Settings } from './settings/options.ts';

/** Decisions for a dashboard that is served later; those before that are dropped. */
export interface DecisionRelay extends DecisionReporter {
  to?: DecisionReporter;
}

export const decisionRelay = (): DecisionRelay => ({
  report(decision) {
    this.to?.report(decision);
  },
});

/** What a dashboard is served from. */
export interface DashboardParts {
  readonly settings: Pick<Settings, 'dashboardHost' | 'dashboardPort'>;
  readonly source: DashboardOptions['source'];
  readonly relay: DecisionRelay;
  readonly logger: Logger;
}

/**
 * Serves the dashboard. Its code and its page are loaded here and not before: without a dashboard they cost no memory.
 * Errors: StartError.
 */
export const serveDashboard = async ({ settings, source, relay, logger }: DashboardParts): Promise<AsyncDisposable> => {
  const { dashboardHost: host, dashboardPort: port } = settings;
  const [{ startDashboard }, { pageFiles: page }] = await Promise.all([
    import('@karpenter/dashboard'),
    import('@karpenter/dashboard/page'),
  ]);
  try {
    const dashboard = await startDashboard({ host, port, page, source, clock: systemClock, logger });
    relay.to = { report: (decision) => dashboard.note(decision) };
    logger.info('dashboard served', { host, port: dashboard.port });
    return dashboard;
  } catch (error) {
    throw cannotListen({ flag: '--dashboard-port', host, port }, error);
  }
};
