import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { aNodeClass, aPool } from './testing/clusters/objects.ts';
import { crds } from './testing/clusters/test-cluster.ts';

let cluster: EmbeddedCluster;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds, azure: false, systemPool: false });
});

afterAll(() => cluster.stop());

interface Status {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

const post = async (path: string, body: object): Promise<Status> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${cluster.apiUrl}${path}?dryRun=All`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { ...((await response.json()) as Omit<Status, 'code'>), code: response.status };
};

const poolWith = (spec: object): object => ({ ...aPool(), spec: { ...aPool().spec, ...spec } });
const templateWith = (spec: object): object => poolWith({ template: { spec: { ...aPool().spec.template.spec, ...spec } } });
const disruptionWith = (disruption: object): object => poolWith({ disruption: { consolidateAfter: '0s', ...disruption } });

describe('a bad manifest is refused by the API server, with field and reason', () => {
  test.each([
    [
      'an operator that is none',
      templateWith({ requirements: [{ key: 'a', operator: 'Inn', values: ['b'] }] }),
      ['requirements[0].operator', 'Inn'],
    ],
    ['In without values', templateWith({ requirements: [{ key: 'a', operator: 'In' }] }), ['requirements', 'must have a value']],
    [
      'a label of Karpenter’s own domain',
      templateWith({ requirements: [{ key: 'karpenter.sh/mine', operator: 'Exists' }] }),
      ['requirements', 'karpenter.sh'],
    ],
    ['a pool without a class', templateWith({ nodeClassRef: undefined }), ['nodeClassRef', 'equired']],
    ['a weight beyond 100', poolWith({ weight: 101 }), ['spec.weight', '100']],
    ['a budget of more than all', disruptionWith({ budgets: [{ nodes: '110%' }] }), ['budgets[0].nodes', '110%']],
    ['a duration that is none', disruptionWith({ consolidateAfter: 'soon' }), ['consolidateAfter', 'soon']],
    ['a policy that is none', disruptionWith({ consolidationPolicy: 'Always' }), ['consolidationPolicy', 'Always']],
  ])('%s', async (_name, pool, parts) => {
    const { code, reason, message } = await post('/apis/karpenter.sh/v1/nodepools', pool);
    expect({ code, reason }).toEqual({ code: 422, reason: 'Invalid' });
    for (const part of parts) expect(message).toContain(part);
  });

  test.each([
    ['a disk that is too small', { osDiskSizeGB: 10 }, ['spec.osDiskSizeGB', '30']],
    ['an image family that is none', { imageFamily: 'Windows' }, ['spec.imageFamily', 'Windows']],
    ['more pods than a node may have', { maxPods: 1000 }, ['spec.maxPods', '250']],
  ])('%s', async (_name, spec, parts) => {
    const { code, message } = await post('/apis/karpenter.azure.com/v1beta1/aksnodeclasses', { ...aNodeClass, spec });
    expect(code).toBe(422);
    for (const part of parts) expect(message).toContain(part);
  });

  test('a good one is taken', async () => {
    expect((await post('/apis/karpenter.sh/v1/nodepools', aPool())).code).toBe(201);
  });
});
