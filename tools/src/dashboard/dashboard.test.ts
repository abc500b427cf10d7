import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../repository.ts';
import { lineChart } from './line-chart.ts';
import { metricsNamedBy } from './prometheus.ts';
import { sectionPage } from './section-page.ts';
import { sectionsOf, type StoredDashboard } from './sections.ts';
import { valueInUnit } from './value-in-unit.ts';

const stored = JSON.parse(readFileSync(repository('apps/controller/chart/dashboards/karpenter.json'), 'utf8')) as StoredDashboard;
const sections = sectionsOf(stored, '20s');
const scale = { fromMs: 0, toMs: 60_000, stepSeconds: 5 };

describe('the chart’s dashboard', () => {
  test('is read row by row, each panel below its own row', () => {
    expect(sections.map(({ title }) => title)).toEqual(stored.panels.filter(({ type }) => type === 'row').map(({ title }) => title));
    expect(sections.flatMap(({ panels }) => panels)).toHaveLength(stored.panels.filter(({ type }) => type !== 'row').length);
    for (const { panels } of sections) expect(Math.min(...panels.map(({ place }) => place.y))).toBe(0);
  });

  test('is sent without a variable left', () => {
    const asked = sections.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expression }) => expression)));
    expect(asked.filter((expression) => expression.includes('$'))).toEqual([]);
    expect(asked.join()).toContain('[20s]');
  });

  test('is counted right by the page that shows it', () => {
    const queries = sections.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries));
    expect(readFileSync(repository('docs/dashboard.md'), 'utf8')).toContain(`All ${queries.length} queries`);
  });

  test('has only units that are known', () => {
    for (const { unit } of sections.flatMap(({ panels }) => panels)) expect(valueInUnit(1, unit)).not.toBe('');
  });
});

test('a panel shows its series, and says when there are none', () => {
  const [panel] = sections[0]?.panels.filter(({ kind }) => kind === 'timeseries') ?? [];
  if (panel === undefined) throw new Error('the first row has no chart');
  const page = (series: Parameters<typeof lineChart>[0]) => sectionPage({ title: 'a < b', panels: [{ ...panel, series }] }, scale).html;
  expect(page([])).toContain('No data');
  const drawn = page([
    {
      name: 'x & y',
      points: [
        [0, 1],
        [5_000, 2],
      ],
    },
  ]);
  expect(drawn).toContain('a &lt; b');
  expect(drawn).toContain('x &amp; y');
  expect(drawn).not.toContain('No data');
});

test('lines break where points are missing', () => {
  const frame = { ...scale, width: 200, height: 100, unit: 'short', gapMs: 7_500 };
  const drawn = lineChart(
    [
      {
        name: '',
        points: [
          [0, 1],
          [5_000, 2],
          [20_000, 1],
          [25_000, 3],
        ],
      },
    ],
    frame,
  );
  expect(/d="([^"]*)"/.exec(drawn)?.[1]?.match(/M/g)).toHaveLength(2);
});

test.each([
  ['created, {{nodepool}}', { nodepool: 'web' }, 'created, web'],
  ['{{method}} {{code}}', { method: 'GET' }, 'GET '],
])('%s is named by labels', (legend, labels, name) => {
  expect(metricsNamedBy(legend, labels)).toBe(name);
});

test.each([
  [0.25, 's', '250 ms'],
  [600, 's', '10 min'],
  [0.5, 'percentunit', '50 %'],
  [1, 'bool_yes_no', 'Yes'],
  [1500, 'short', '1.5 K'],
  [2.5, 'currencyUSD', '$2.5'],
])('%d in %s is %s', (value, unit, text) => {
  expect(valueInUnit(value, unit)).toBe(text);
});

test('a unit that nobody knows is refused', () => {
  expect(() => valueInUnit(1, 'parsecs')).toThrow('parsecs');
});
