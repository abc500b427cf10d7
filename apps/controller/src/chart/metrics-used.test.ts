import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { Metric } from 'prom-client';
import { parse } from 'yaml';
import { assembleController } from '../controller.ts';
import { readCommandLine } from '../settings/command-line.ts';
import { charts } from './helm.ts';
import { readQuery } from './promql.ts';

interface Named {
  readonly name: string;
  readonly expression: string;
  /** Labels that its text shows. */
  readonly shown: readonly string[];
}

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string; readonly annotations: Readonly<Record<string, string>> }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly type: string;
    readonly description?: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const chartFile = (...path: readonly string[]): unknown => parse(readFileSync(join(charts.controller, ...path), 'utf8'));
const dashboard = chartFile('dashboards', 'karpenter.json') as Dashboard;

const rules = (chartFile('alerts', 'karpenter.yaml') as Alerts).groups.flatMap((group) => group.rules);
const alerts: readonly Named[] = rules.map(({ alert, expr, annotations }) => {
  const shown = Object.values(annotations).flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label));
  return { name: `alert ${alert}`, expression: expr, shown };
});

const panels: readonly Named[] = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => {
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    return { name: `panel ${title}`, expression: expr, shown };
  }),
);

const environment = {
  ...{ AZURE_NODE_RESOURCE_GROUP: 'rg', AZURE_SUBSCRIPTION_ID: '11111111-2222-3333-4444-555555555555', CLUSTER_NAME: 'main' },
  ...{
    CLUSTER_ENDPOINT: 'https://main.example',
    KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
    LOCATION: 'eastus',
    SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
  },
  VNET_SUBNET_ID: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes',
};

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const read = await readCommandLine([], environment);
if (read.kind !== 'run') throw new Error(JSON.stringify(read));

/** Put together and never started: it talks to nobody. */
const controller = assembleController({
  ...read,
  connection: { server: 'http://127.0.0.1:1', tls: {} },
  clock: fakeClock(),
  logger: silent,
  onFatal: () => undefined,
});
afterAll(() => controller.close());

type Known = Metric & { readonly name: string; readonly labelNames: readonly string[] };

/** Name of a series → the metric that it is of: a histogram has three. */
const known = new Map(
  (controller.registry.getMetricsAsArray() as unknown as readonly Known[]).flatMap((metric) => {
    const suffixes = metric.constructor.name === 'Histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.map((suffix): [string, Known] => [`${metric.name}${suffix}`, metric]);
  }),
);

describe.each([...alerts, ...panels])('$name: $expression', ({ expression, shown }) => {
  const { metrics, groupedBy } = readQuery(expression);

  test('reads metrics that the controller has, by labels that they have', () => {
    expect(metrics).not.toEqual([]);
    for (const { name, labels } of metrics) {
      expect([...known.keys()]).toContain(name);
      const own = [...(known.get(name)?.labelNames ?? []), 'le'];
      expect(own).toEqual(expect.arrayContaining([...labels, ...groupedBy]));
    }
  });

  test('shows labels that are left after grouping', () => {
    expect(groupedBy).toEqual(expect.arrayContaining([...shown]));
  });
});

test('panels and alerts have names of their own', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  const titles = dashboard.panels.map(({ title }) => title);
  const names = alerts.map(({ name }) => name);
  for (const each of [ids, titles, names]) expect(new Set<unknown>(each).size).toBe(each.length);
});

test('a text that is no query is refused', () => {
  expect(() => readQuery('sum by (a) (rate(x[5m])')).toThrow('not understood');
});

test.each(rules.map(({ alert }) => alert))('the alert %s has a section on the page about troubleshooting', (alert) => {
  const page = readFileSync(join(charts.controller, '..', '..', '..', 'docs', 'troubleshooting.md'), 'utf8');
  expect(page.split('\n')).toContain(`### ${alert}`);
});

test('each panel says what it shows', () => {
  const silentPanels = dashboard.panels.filter(({ type, description = '' }) => type !== 'row' && description === '');
  expect(silentPanels.map(({ title }) => title)).toEqual([]);
});
