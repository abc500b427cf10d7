/**
 * `scrape-dashboard.ts <prometheus> <recording>`: plays a scene on an embedded cluster with the bundled controller.
 * Meanwhile that Prometheus scrapes it and evaluates the chart's alerts. Then it answers every query of the chart's
 * dashboard. Writes the answers to the file, for `draw-dashboard.ts`. Names the queries that nothing answered; ends
 * with 1 when a query or a rule is refused.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedCluster, speedOptions, startEmbeddedCluster } from '@karpenter/simulator';
import { freePort } from '@karpenter/kube-api-contract/programs';
import { rulesOf, prometheusSeries, type Span } from './prometheus.ts';
import type { DashboardRecording } from './recording.ts';
import { SCENE_SECONDS, scene } from './scene.ts';
import type { AnsweredSection } from './section-page.ts';
import { sectionsOf, type StoredDashboard } from './sections.ts';
import { SCRAPE_SECONDS, startPrometheus } from './start-prometheus.ts';
import { type Child, startChild } from '../demo/processes/child.ts';
import { chartCrds } from '../chart-crds.ts';
import { repository } from '../repository.ts';

/** Machines boot and pods start so many times as fast as in Azure. */
const SPEED = 20;

const startCluster = (): Promise<EmbeddedCluster> => startEmbeddedCluster({ crds: chartCrds(), ...speedOptions(SPEED) });

const play = async (cluster: EmbeddedCluster): Promise<void> => {
  const { arm } = cluster;
  if (arm === undefined) throw new Error('the cluster has no Azure');
  const startedAtMs = Date.now();
  const until = (seconds: number): Promise<void> => pause(Math.max(0, startedAtMs + seconds * 1000 - Date.now()));
  for (const { atSeconds, what, happens } of scene) {
    await until(atSeconds);
    console.log(`${atSeconds} s: ${what}`);
    happens(cluster, arm);
  }
  await until(SCENE_SECONDS);
};

const answersOf = (server: string, span: Span): Promise<readonly AnsweredSection[]> => {
  const dashboard = JSON.parse(readFileSync(repository('apps/controller/chart/dashboards/karpenter.json'), 'utf8')) as StoredDashboard;
  const sections = sectionsOf(dashboard, `${4 * SCRAPE_SECONDS}s`);
  return Promise.all(
    sections.map(async ({ title, panels }) => ({
      title,
      panels: await Promise.all(
        panels.map(async (panel) => {
          const answers = await Promise.all(panel.queries.map((query) => prometheusSeries(server, query, span)));
          panel.queries.forEach(({ expression }, nth) => {
            if (answers[nth]?.length === 0) console.log(`no series: ${panel.title}: ${expression}`);
          });
          return { ...panel, series: answers.flat() };
        }),
      ),
    })),
  );
};

/** Throws once a process has ended that should not have. */
const endOf = async (child: Child): Promise<never> => {
  const how = await child.ended;
  throw new Error([`${child.name} ended (${how})`, ...child.lastLines()].join('\n'));
};

const record = async (program: string, folder: string): Promise<DashboardRecording> => {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await startCluster());
  const metricsPort = await freePort();
  const args = [repository('apps/controller/dist/main.mjs'), `--metrics-port=${metricsPort}`, '--health-probe-port=0'];
  const controller = startChild({ name: 'the controller', args, env: cluster.environment(), onLine: () => undefined });
  stack.defer(() => controller.stop());
  const prometheus = await startPrometheus({ program, metricsPort, folder });
  stack.defer(() => prometheus.stop());
  const fromMs = Date.now();
  await Promise.race([play(cluster), endOf(controller), endOf(prometheus)]);
  const span = { fromMs, toMs: Date.now(), stepSeconds: SCRAPE_SECONDS };
  return { span, sections: await answersOf(prometheus.url, span), rules: await rulesOf(prometheus.url) };
};

const [program, file] = process.argv.slice(2);
if (program === undefined || file === undefined) throw new Error('say which Prometheus is to scrape, and which file to write to');
const folder = mkdtempSync(join(tmpdir(), 'karpenter-dashboard-'));
try {
  const recording = await record(program, folder);
  writeFileSync(file, JSON.stringify(recording));
  const refused = recording.rules.filter(({ health }) => health !== 'ok');
  for (const { name, error } of refused) console.log(`alert ${name}: ${error}`);
  process.exitCode = refused.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
