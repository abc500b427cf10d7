import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { startEmbeddedCluster } from '@karpenter/simulator';
import { fakeClock } from '@karpenter/runtime';
import { parse } from 'yaml';
import { applyAll } from './apply.ts';
import { everythingOn } from './everything-on.ts';
import { charts, describeWithHelm, helm } from './helm.ts';
import { renderChart } from './rendered.ts';
import { SERVICE_MONITOR_KINDS } from './kinds-of-others.ts';

jest.setTimeout(300_000);

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const read = (name: string): unknown => parse(readFileSync(join(charts.controller, name), 'utf8'));
const schema = read('values.schema.json') as Schema;
const defaults = read('values.yaml') as object;

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

/** Paths of the values that the schema insists on, groups and single ones. */
const requiredOf = ({ required = [], properties = {} }: Schema, path: readonly string[] = []): readonly (readonly string[])[] => [
  ...required.map((name) => [...path, name]),
  ...Object.entries(properties).flatMap(([name, inner]) => requiredOf(inner, [...path, name])),
];

const required = requiredOf(schema);
const isRequired = (path: readonly string[]): boolean => required.some((each) => each.join('.') === path.join('.'));

/**
 * Everything that may be taken away, as `null`; what must stay is left out. `own`: what the test says for itself stays too.
 */
const takenAway = (
  values: Readonly<Record<string, unknown>>,
  own: unknown,
  path: readonly string[] = [],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
      const said = isGroup(own) ? own[name] : undefined;
      if (isGroup(value) && (isRequired([...path, name]) || isGroup(said))) return [[name, takenAway(value, said, [...path, name])]];
      return [[name, isRequired([...path, name]) ? value : (said ?? null)]];
    }),
  );

describeWithHelm('values that are taken away with null', () => {
  test.each(required.map((path) => path.join('.')))('%s: one line says that it is missing', (path) => {
    const names = path.split('.');
    const last = names.at(-1) ?? '';
    const values = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), null);
    const { code, stderr } = helm('template', charts.controller, values as object);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`- at '${['', ...names.slice(0, -1)].join('/')}': missing propert`);
    expect(stderr).toContain(`'${last}'`);
  });

  test.each([
    ['with the least values', {}],
    ['with everything on', everythingOn],
  ])('leave the rest to Kubernetes and the controller, where they need not be there, %s', async (_how, on) => {
    await using cluster = await startEmbeddedCluster({
      clock: fakeClock(),
      azure: false,
      systemPool: false,
      crds: [SERVICE_MONITOR_KINDS],
    });
    cluster.create('{apiVersion: v1, kind: Namespace, metadata: {name: karpenter}}');
    const { azure, kubeletBootstrapToken } = everythingOn;
    const values = takenAway(defaults as Readonly<Record<string, unknown>>, { azure, kubeletBootstrapToken, ...on });
    expect(values).toMatchObject({ image: { tag: null }, resources: null, podDisruptionBudget: { maxUnavailable: 1 } });
    await applyAll(cluster, [...renderChart({}, charts.crds), ...renderChart(values)]);
  });
});
