/**
 * `pnpm bench:dashboard`: the dashboard page with 5,000 nodes and 100,000 pods in Chromium (build `@karpenter/dashboard`
 * first). First view: from the navigation to the frame after the map and the totals are there, server and loopback
 * included; median and longest of 7. Updates: 100 other nodes have other pods each second; what the main thread of the
 * page did until two frames later, median and longest of 20, by the clock and in processor time. `--json` prints JSON.
 */
import { silentLogger, systemClock } from '@karpenter/runtime';
import { startDashboard } from '../../../apps/dashboard/src/serve/dashboard-server.ts';
import { aSource, type ChangingSource, ownNode, podsOfDeployment } from '../../../apps/dashboard/src/testing/a-source.ts';
import { builtPage, startBrowser } from '../../../apps/dashboard/src/testing/built-page.ts';
import { largeCluster } from '../../../apps/dashboard/src/testing/large-cluster.ts';
import { type Figure, report } from './report.ts';

const VIEWS = 7;
const UPDATES = 20;
const NODES_OF_UPDATE = 100;
const VIEW_BAR_MS = 1500;
const UPDATE_BAR_MS = 50;

type Browser = Awaited<ReturnType<typeof startBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Marks in the page when the map and the totals are on the screen (`first-view`), and when an update is (`drawn`). */
const MARK_FRAMES = `
  const poll = () => {
    const isShown = document.querySelector('canvas') !== null && document.body.textContent.includes('100,000');
    requestAnimationFrame(isShown ? () => performance.mark('first-view') : poll);
  };
  addEventListener('DOMContentLoaded', poll);
  new PerformanceObserver((list) => {
    for (const _ of list.getEntriesByName('karpenter-change'))
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('drawn')));
  }).observe({ type: 'measure' });
`;

/** Waits for so many marks of that name. Polls seldom: each poll is a task of the main thread. */
const waitForMarks = (page: Page, name: string, count: number): Promise<unknown> =>
  page.waitForFunction(([mark, wanted]) => performance.getEntriesByName(mark).length >= wanted, [name, count] as const, { polling: 100 });

const opened = async (browser: Browser, port: number): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 844 } });
  await page.addInitScript(MARK_FRAMES);
  await page.goto(`http://127.0.0.1:${port}/`);
  await waitForMarks(page, 'first-view', 1);
  return page;
};

/** Reads how many milliseconds the tasks of the page's main thread have taken. */
const taskMeter = async (page: Page, timeDomain: 'timeTicks' | 'threadTicks'): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
};

/** More than pods of the large cluster request. */
const MOST_CPU_MILLIS = 200;
let changes = 0;

/** Gives 100 nodes other pods, as many as before, from the given node on. */
const change = (source: ChangingSource, from: number): void => {
  const { nodes } = source.cluster;
  changes += 1;
  const changed = nodes
    .slice(from, from + NODES_OF_UPDATE)
    .map(({ name }) => ownNode(name, podsOfDeployment('web', 20, MOST_CPU_MILLIS + changes)));
  source.cluster = { ...source.cluster, nodes: [...nodes.slice(0, from), ...changed, ...nodes.slice(from + NODES_OF_UPDATE)] };
};

const statistics = (values: readonly number[]): { readonly median: number; readonly longest: number } => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, longest: sorted.at(-1) ?? Number.NaN };
};

const figuresOf = (name: string, values: readonly number[], atMost?: number): readonly Figure[] => {
  const { median, longest } = statistics(values);
  const bar = atMost === undefined ? {} : { atMost };
  return [
    { case: `${name}, median`, figure: median, unit: 'ms', ...bar },
    { case: `${name}, longest`, figure: longest, unit: 'ms', ...bar },
  ];
};

const measureViews = async (browser: Browser, port: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let index = 0; index < VIEWS; index += 1) {
    const page = await opened(browser, port);
    times.push(await page.evaluate(() => performance.getEntriesByName('first-view')[0]?.startTime ?? Number.NaN));
    await page.close();
  }
  return times;
};

/** What the main thread did for each update. By the clock (`timeTicks`), or in processor time (`threadTicks`). */
const measureUpdates = async (page: Page, source: ChangingSource, timeDomain: 'timeTicks' | 'threadTicks'): Promise<readonly number[]> => {
  const taskMs = await taskMeter(page, timeDomain);
  const times: number[] = [];
  for (let update = 0; update < UPDATES; update += 1) {
    // A new point of the price is a change too.
    const marks = await page.evaluate(() => performance.getEntriesByName('drawn').length);
    const before = await taskMs();
    change(source, update * NODES_OF_UPDATE);
    await waitForMarks(page, 'drawn', marks + 1);
    times.push((await taskMs()) - before);
  }
  await page.close();
  return times;
};

const source: ChangingSource = { ...aSource(), cluster: largeCluster() };
const browser = await startBrowser();
try {
  const options = { port: 0, host: '127.0.0.1', clock: systemClock, logger: silentLogger, page: builtPage(), source };
  await using dashboard = await startDashboard(options);
  const { port } = dashboard;
  report([
    ...figuresOf('first view', await measureViews(browser, port), VIEW_BAR_MS),
    ...figuresOf('update, main thread', await measureUpdates(await opened(browser, port), source, 'timeTicks'), UPDATE_BAR_MS),
    ...figuresOf('update, main thread: processor', await measureUpdates(await opened(browser, port), source, 'threadTicks')),
  ]);
} finally {
  await browser.close();
}
