import { beforeAll, expect, test } from '@jest/globals';
import type { SuiteStage } from '../stage.ts';
import { type ApiAnswer, at } from '../kube-client.ts';

const schema = (old: boolean): object => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      'x-kubernetes-validations': [
        { rule: 'self.size <= self.most', message: 'size must not be above most' },
        { rule: 'self.color == oldSelf.color', message: 'color is immutable' },
        { rule: '!has(self.parts) || !has(oldSelf.parts) || self.parts == oldSelf.parts', message: 'parts are immutable' },
      ],
      properties: {
        size: { type: 'integer', minimum: 1 },
        most: { type: 'integer', default: 10 },
        color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        limit: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        parts: { type: 'object', maxProperties: 10, additionalProperties: { type: 'string', maxLength: 20 } },
        ...(old ? { legacy: { type: 'string' } } : {}),
      },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' }, replicas: { type: 'integer' } } },
  },
});

const version = (name: string, more: object): object => ({
  name,
  served: true,
  schema: { openAPIV3Schema: schema(name === 'v1alpha1') },
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' } },
  additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
  ...more,
});

/** CustomResourceDefinitions: defaults, pruning, schemas, rules, versions, subresources, columns. */
export const createCrdCases = (stage: () => SuiteStage): void => {
  const group = (): string => `${stage().namespace}.example.com`;
  const path = (name = '', served = 'v1'): string => `/apis/${group()}/${served}/widgets${name}`;
  const create = (name: string, spec: object, more: object = {}): Promise<ApiAnswer> =>
    stage().client.call(path(), {
      method: 'POST',
      body: { apiVersion: `${group()}/v1`, kind: 'Widget', metadata: { name }, spec, ...more },
    });
  const merge = (name: string, body: object): Promise<ApiAnswer> =>
    stage().client.call(path(name), { method: 'PATCH', contentType: 'application/merge-patch+json', body });
  const causes = ({ body }: ApiAnswer): unknown => at(body, 'details.causes');

  beforeAll(async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${group()}` },
      spec: {
        group: group(),
        scope: 'Cluster',
        names: {
          plural: 'widgets',
          singular: 'widget',
          kind: 'Widget',
          listKind: 'WidgetList',
          shortNames: ['wd'],
          categories: ['things'],
        },
        versions: [version('v1', { storage: true }), version('v1alpha1', { storage: false, deprecated: true })],
      },
    };
    const made = await stage().client.call('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { method: 'POST', body: definition });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    for (let attempt = 0; attempt < 100 && (await stage().client.call(path())).status !== 200; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }, 60_000);

  test('defaults are filled in and unknown fields pruned', async () => {
    const { status, body } = await create('defaulted', { size: 3, unknown: 1, free: { kept: { as: 'is' } } });
    expect(status).toBe(201);
    expect(at(body, 'spec')).toEqual({ size: 3, most: 10, color: 'red', free: { kept: { as: 'is' } } });
    expect(at(body, 'metadata.generation')).toBe(1);
  });

  test.each([
    ['a missing required field', {}, 'spec.size', 'FieldValueRequired'],
    ['a number that is too small', { size: 0 }, 'spec.size', 'FieldValueInvalid'],
    ['a value of the wrong type', { size: 'three' }, 'spec.size', 'FieldValueTypeInvalid'],
    ['a value outside of an enum', { size: 1, color: 'green' }, 'spec.color', 'FieldValueNotSupported'],
  ])('%s answers 422 with the field', async (...[, spec, field, reason]) => {
    const answer = await create('wrong', spec);
    expect(answer.status).toBe(422);
    expect(causes(answer)).toEqual(expect.arrayContaining([expect.objectContaining({ field, reason })]));
  });

  test('a CEL rule is enforced with its message', async () => {
    const answer = await create('ruled', { size: 11 });
    expect(answer.status).toBe(422);
    expect(causes(answer)).toEqual([
      { reason: 'FieldValueInvalid', field: 'spec', message: expect.stringContaining('size must not be above most') },
    ]);
  });

  test('a transition rule sees the old value', async () => {
    await create('moved', { size: 1, color: 'red' });
    const answer = await merge('/moved', { spec: { color: 'blue' } });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('color is immutable');
    expect((await merge('/moved', { spec: { size: 2 } })).status).toBe(200);
  });

  test('a transition rule compares maps with keys such as `constructor`', async () => {
    expect((await create('odd-parts', { size: 1, parts: { constructor: 'x', toString: 'y', a: 'z' } })).status).toBe(201);
    expect((await merge('/odd-parts', { metadata: { labels: { team: 'a' } } })).status).toBe(200);
    expect(causes(await merge('/odd-parts', { spec: { parts: { constructor: 'other' } } }))).toEqual([
      { reason: 'FieldValueInvalid', message: expect.stringContaining('parts are immutable'), field: 'spec' },
    ]);
  });

  test('the status has an endpoint of its own, and generation counts the spec', async () => {
    const made = await create('stated', { size: 1 }, { status: { ready: true } });
    expect(at(made.body, 'status')).toBeUndefined();
    const stated = await merge('/stated/status', { status: { ready: true }, spec: { size: 5 } });
    expect([at(stated.body, 'status.ready'), at(stated.body, 'spec.size'), at(stated.body, 'metadata.generation')]).toEqual([true, 1, 1]);
    const grown = await merge('/stated', { spec: { size: 2 }, status: { ready: false } });
    expect([at(grown.body, 'status.ready'), at(grown.body, 'spec.size'), at(grown.body, 'metadata.generation')]).toEqual([true, 2, 2]);
  });

  test('a write of the status changes no labels and takes off no finalizers', async () => {
    const finalizers = ['example.com/hold'];
    await create('guarded', { size: 1 });
    await merge('/guarded', { metadata: { labels: { a: '1' }, finalizers } });
    const stated = await merge('/guarded/status', { metadata: { labels: { a: '2' }, finalizers: null }, status: { ready: true } });
    expect(at(stated.body, 'metadata')).toMatchObject({ labels: { a: '1' }, finalizers });
    expect(at(stated.body, 'status.ready')).toBe(true);
    await merge('/guarded', { metadata: { finalizers: null } });
  });

  test('the scale subresource reads and writes where the definition says', async () => {
    await create('scaled', { size: 2 });
    const { body } = await merge('/scaled/scale', { spec: { replicas: 4 } });
    expect(body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 4 } });
    expect(at((await stage().client.call(path('/scaled'))).body, 'spec.size')).toBe(4);
  });

  test('another served version is the same object, with a warning when it is deprecated', async () => {
    await create('versioned', { size: 2 });
    const { body, headers } = await stage().client.call(path('/versioned', 'v1alpha1'));
    expect([body['apiVersion'], at(body, 'spec.size')]).toEqual([`${group()}/v1alpha1`, 2]);
    expect(String(headers['warning'])).toContain(`${group()}/v1alpha1 Widget is deprecated`);
  });

  test('a strategic merge patch answers 415', async () => {
    await create('patched', { size: 1 });
    const { status } = await stage().client.call(path('/patched'), {
      method: 'PATCH',
      contentType: 'application/strategic-merge-patch+json',
      body: {},
    });
    expect(status).toBe(415);
  });

  test('a replace without a resourceVersion answers 422', async () => {
    await create('replaced', { size: 1 });
    const body = { apiVersion: `${group()}/v1`, kind: 'Widget', metadata: { name: 'replaced' }, spec: { size: 2 } };
    expect((await stage().client.call(path('/replaced'), { method: 'PUT', body })).status).toBe(422);
  });

  test('a Table shows the printer columns', async () => {
    const { body } = await stage().client.call(path('?fieldSelector=metadata.name%3Dversioned'), {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect((body['columnDefinitions'] as readonly object[]).map((column) => at(column, 'name'))).toEqual(['Name', 'Size']);
    expect(at(body, 'rows.0.cells')).toEqual(['versioned', 2]);
  });

  test('a definition of another name than its resource answers 422', async () => {
    const { status } = await stage().client.call('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'other.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [version('v1', { storage: true })],
        },
      },
    });
    expect(status).toBe(422);
  });
};
