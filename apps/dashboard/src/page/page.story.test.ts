import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { azureLabelCatalog } from '@karpenter/azure/catalog';
import { defaultSchedulingPolicy, labels, simulate } from '@karpenter/core';
import { aNode, aNodePool, aPod, aSnapshot, preferring, requesting } from '@karpenter/testkit';
import { silentLogger, systemClock } from '@karpenter/runtime';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { type Dashboard, startDashboard } from '../serve/dashboard-server.ts';
import { aSource, type ChangingSource, ownNode, podsOfDeployment } from '../testing/a-source.ts';
import { azureCluster } from '../testing/azure-cluster.ts';
import { describeInBrowser } from '../testing/browser.ts';
import { builtPage, startBrowser } from '../testing/built-page.ts';
import { largeCluster } from '../testing/large-cluster.ts';

const files = builtPage();
const pictures = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'public');
/** Minutes ago, and how many nodes there were then. */
const PAST = [
  [33, 2],
  [25, 4],
  [12, 3],
  [3, 5],
] as const;
const PAST_MS = 40 * 60_000;
const command = {
  ...{ id: '1', method: 'single-node', reason: 'Underutilized', decision: 'delete' as const, savingsPerHour: 0.2, replacements: [] },
  candidates: [aNode({ name: 'aks-general-b2r7f', labels: { [labels.instanceType]: 'Standard_D4as_v5' } })],
};

/** Two pools, a node that is not Karpenter's, and a pod that fits nowhere. */
const aCluster = () => {
  const spot = { ...ownNode('batch-1', podsOfDeployment('train', 2, 1500)), nodePoolName: 'batch' };
  return aSnapshot({
    nodes: [
      ...[3, 2, 1].map((amount) => ownNode(`web-${amount}`, podsOfDeployment('web', amount, 1000))),
      { ...spot, labels: { ...spot.labels, 'karpenter.sh/capacity-type': 'spot' } },
      aNode({ name: 'system-1', pods: podsOfDeployment('dns', 2, 100) }),
    ],
    nodePools: [aNodePool({ limits: { cpu: '16', memory: '100Gi' } }), aNodePool({ name: 'batch', weight: 5 })],
    pending: [aPod(requesting({ cpuMillis: 400_000 }))],
  });
};

describeInBrowser('the page in Chromium', () => {
  let browser: Browser;
  let source: ChangingSource;
  let dashboard: Dashboard;
  let page: Page;
  let behindMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() - behindMs };
  const complaints: string[] = [];

  const open = async (options: { width?: number; colorScheme?: 'dark' | 'light' } = {}): Promise<void> => {
    const { width = 1280, colorScheme = 'light' } = options;
    page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme, deviceScaleFactor: width < 500 ? 2 : 1 });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://localhost:${dashboard.port}/`);
    await page.getByRole('heading', { name: 'What if' }).waitFor();
  };

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    source = { ...aSource(), policy: { ...defaultSchedulingPolicy, labelCatalog: azureLabelCatalog } };
    source.cluster = aCluster();
    behindMs = PAST_MS;
    const options = { port: 0, host: '127.0.0.1', clock, logger: silentLogger, page: files, source };
    dashboard = await startDashboard(options);
    const plan = simulate(source.cluster, source.policy);
    dashboard.note({ kind: 'plan-computed', plan, pods: 1, durationMs: 12, atMs: 12 });
    dashboard.note({ kind: 'command-started', command, claimNames: [] });
    dashboard.note({ kind: 'command-succeeded', command });
    behindMs = 0;
  });
  afterEach(async () => {
    await page.close();
    await dashboard[Symbol.asyncDispose]();
    expect(complaints.splice(0)).toEqual([]);
  });

  test('shows the cluster, and follows it without being loaded again', async () => {
    await open();
    await page.getByText('$0.660/h').first().waitFor();
    await page.getByText('found no place: it asks for 400 cpu').waitFor();
    await page.getByText('saves $0.200/h').waitFor();
    source.cluster = { ...source.cluster, pendingPods: [], nodes: source.cluster.nodes.slice(0, 2) };
    await page.getByText('Every pod has a place.').waitFor();
    await page.locator('.figure', { hasText: 'Nodes' }).getByText('2', { exact: true }).waitFor();
  });

  test('a plan whose pods do without a preference says which', async () => {
    const place = { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['mars'] }] };
    const plan = simulate(aSnapshot({ pending: [aPod(preferring(7, place))] }));
    dashboard.note({ kind: 'plan-computed', plan, pods: 1, durationMs: 12, atMs: 13 });
    await open();
    await page.getByText('Preferences relaxed').click();
    await page.getByText(/: node affinity \(number 1, weight 7\): no node meets it$/).waitFor();
  });

  test('with the keyboard alone a node is opened, read and closed', async () => {
    await open();
    await page.getByRole('application').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'batch-1' }).waitFor();
    await page
      .getByRole('cell', { name: /^shop\/pod-/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'batch-1' }).waitFor({ state: 'detached' });
  });

  test('with the keyboard alone a closed node leaves the focus on the map', async () => {
    await open();
    const map = page.getByRole('application');
    await map.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Close' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
    expect(await map.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('with the keyboard alone a what-if question gets its answer, and each stop shows its focus', async () => {
    await open();
    const stops: string[] = [];
    for (let presses = 0; presses < 30 && stops.at(-1) !== 'INPUT number'; presses += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const shown = element instanceof HTMLInputElement && element.type === 'radio' ? (element.closest('label') ?? element) : element;
        const hasOutline = getComputedStyle(shown).outlineStyle !== 'none';
        return `${element.tagName} ${element.getAttribute('type') ?? ''}${hasOutline ? '' : ' without outline'}`;
      });
      stops.push(stop.trim());
    }
    expect(stops.filter((stop) => stop.endsWith('without outline'))).toEqual([]);
    expect(stops.filter((stop) => stop.startsWith('INPUT radio'))).toHaveLength(2);
    await page.getByLabel('Workload').focus();
    await page.keyboard.type('Deployment shop/web');
    await page.keyboard.press('Enter');
    await page.getByText(/^10 pods: /).waitFor();
  });

  test.each(['dark', 'light'] as const)('axe finds no barrier, also in what is opened (%s)', async (colorScheme) => {
    await open({ colorScheme });
    await page.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Close' }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.getByRole('button', { name: 'Show the plan' }).last().click();
    await page.locator('.answer').waitFor();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html}`)).toEqual([]);
  });

  test('more replicas are planned, and a NodePool with a mistake is refused with the field', async () => {
    await open();
    await page.getByLabel('Workload').fill('Deployment shop/web');
    await page.getByLabel('Further pods').fill('40');
    await page.getByRole('button', { name: 'Show the plan' }).first().click();
    await page.getByText(/^40 pods: \d+ new nodes, /).waitFor();
    await page.getByLabel(/as YAML/).fill('kind: NodePool\napiVersion: karpenter.sh/v1\nmetadata: { name: x }\nspec: {}\n');
    await page.getByRole('button', { name: 'Show the plan' }).last().click();
    await page
      .getByText(/template/)
      .last()
      .waitFor();
    await page.getByText('Refused', { exact: true }).waitFor();
  });

  test.each([
    ['dashboard-page.png', 1280, 'light'],
    ['dashboard-page-phone.png', 390, 'dark'],
  ] as const)('%s: %i pixels wide, nothing sticks out', async (name, width, colorScheme) => {
    source.cluster = { ...azureCluster(), pendingPods: source.cluster.pendingPods };
    const { nodes } = source.cluster;
    for (const [minutesAgo, amount] of PAST) {
      behindMs = minutesAgo * 60_000;
      source.cluster = { ...source.cluster, nodes: nodes.slice(0, amount) };
      await fetch(`http://127.0.0.1:${dashboard.port}/api/state`);
    }
    const plan = simulate(source.cluster, source.policy);
    dashboard.note({ kind: 'plan-computed', plan, pods: 1, durationMs: 12, atMs: 12 });
    behindMs = 0;
    await open({ width, colorScheme });
    await page
      .getByText(/^[1-9]\d* instance types match/)
      .first()
      .click();
    await page.evaluate(() => scrollTo(0, 0));
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBe(width);
    // With PICTURES the pictures of the page on the dashboard are made again.
    const picture = await page.screenshot({
      fullPage: width > 500,
      ...(process.env['PICTURES'] === undefined ? {} : { path: join(pictures, name) }),
    });
    expect(picture.length).toBeGreaterThan(20_000);
  });

  test('5,000 nodes with 100,000 pods are one canvas, not elements', async () => {
    source.cluster = largeCluster();
    await open();
    await page.locator('.figure', { hasText: 'Pods' }).getByText('100,000').waitFor();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(elements).toBeLessThan(400);
  });
});
