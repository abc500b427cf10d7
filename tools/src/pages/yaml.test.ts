import { describe, expect, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { parse } from 'yaml';
import { fencesOf } from './fence-checks.ts';
import { fencePlaceOf } from './fence.ts';
import { describeWithHelm } from '../../../apps/controller/src/chart/helm.ts';
import { neededValues, renderChart } from '../../../apps/controller/src/chart/rendered.ts';
import { readSchedulerConfig } from '../../../apps/controller/src/settings/scheduler-config/scheduler-config.ts';
import { crdServer } from '../crds/testing/crd-server.ts';

const server = crdServer();

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

const poolWith = (text: string): ApiObject & { readonly spec: object } => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'shown' },
  spec: { template: { spec: { requirements: [], nodeClassRef } }, ...(parse(text) as { readonly spec: object }).spec },
});

const placedFences = (fences: ReturnType<typeof fencesOf>): readonly (readonly [string, string])[] =>
  fences.map((fence) => [fencePlaceOf(fence), fence.text]);

describe('parts of a NodePool that pages show', () => {
  test.each(placedFences(fencesOf('parts of a NodePool')))('%s: the API server takes\n%s', (_place, text) => {
    const pool = poolWith(text);
    expect(server().local.create(pool)).toMatchObject({ spec: pool.spec });
    server().local.delete('NodePool', { name: 'shown' });
  });
});

describe('configurations of kube-scheduler that pages show', () => {
  test.each(placedFences(fencesOf('configurations of kube-scheduler')))('%s: the option takes\n%s', async (_place, text) => {
    expect(await readSchedulerConfig(text)).toMatchObject({ problems: [], constraints: [{ maxSkew: 1 }] });
  });
});

describeWithHelm('what pages show of the chart', () => {
  test.each(placedFences(fencesOf('values of the chart')))('%s: it takes\n%s', (_place, text) => {
    expect(renderChart({ ...neededValues, ...(parse(text) as object) }).length).toBeGreaterThan(5);
  });

  test.each(placedFences(fencesOf('rules of a role')))('%s: it grants what is shown, where the gate is on\n%s', (_place, text) => {
    const granted = renderChart({ ...neededValues, settings: { featureGates: { podNomination: true } } }).flatMap(
      ({ rules }: ApiObject & { readonly rules?: readonly unknown[] }) => rules ?? [],
    );
    expect(granted).toEqual(expect.arrayContaining(parse(text) as unknown[]));
  });
});
