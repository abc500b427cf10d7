import { expect, test } from '@jest/globals';
import type { SuiteStage } from '../stage.ts';
import { type ApiAnswer, at } from '../kube-client.ts';

/** The four kinds of patch. */
export const createPatchCases = (stage: () => SuiteStage): void => {
  const path = (name = ''): string => `/apis/apps/v1/namespaces/${stage().namespace}/deployments${name === '' ? '' : `/${name}`}`;
  const deployment = (name: string): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { a: '1', b: '2' } },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            { name: 'one', image: 'i1' },
            { name: 'two', image: 'i2' },
          ],
        },
      },
    },
  });
  const create = (name: string): Promise<ApiAnswer> => stage().client.call(path(), { method: 'POST', body: deployment(name) });
  const patch = (name: string, type: string, body: unknown): Promise<ApiAnswer> =>
    stage().client.call(path(name), { method: 'PATCH', contentType: `application/${type}`, body });
  const apply = (name: string, spec: object, { manager = 'me', force = false } = {}): Promise<ApiAnswer> =>
    stage().client.call(`${path(name)}?fieldManager=${manager}&force=${String(force)}`, {
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec },
    });
  const images = ({ body }: ApiAnswer): unknown =>
    (at(body, 'spec.template.spec.containers') as readonly object[]).map((one) => at(one, 'image'));
  const wholeSpec = (name: string, replicas?: number): object => ({
    ...(replicas === undefined ? {} : { replicas }),
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'one', image: 'i1' }] } },
  });

  test('a merge patch merges objects, removes nulls and replaces lists', async () => {
    await create('merge');
    const answer = await patch('merge', 'merge-patch+json', {
      metadata: { labels: { a: null, c: '3' } },
      spec: { template: { spec: { containers: [{ name: 'one', image: 'new' }] } } },
    });
    expect(at(answer.body, 'metadata.labels')).toEqual({ b: '2', c: '3' });
    expect(images(answer)).toEqual(['new']);
  });

  test('a strategic merge patch merges containers by name, and $patch: delete removes one', async () => {
    await create('strategic');
    const merged = await patch('strategic', 'strategic-merge-patch+json', {
      spec: { template: { spec: { containers: [{ name: 'two', image: 'new' }] } } },
    });
    expect(images(merged)).toEqual(['i1', 'new']);
    const removed = await patch('strategic', 'strategic-merge-patch+json', {
      spec: { template: { spec: { containers: [{ name: 'one', $patch: 'delete' }] } } },
    });
    expect(images(removed)).toEqual(['new']);
  });

  test('a JSON patch adds, tests and removes; a failed test changes nothing', async () => {
    await create('json');
    const good = await patch('json', 'json-patch+json', [
      { op: 'test', path: '/metadata/labels/a', value: '1' },
      { op: 'add', path: '/metadata/labels/x~1y', value: 'z' },
      { op: 'remove', path: '/metadata/labels/b' },
    ]);
    expect(at(good.body, 'metadata.labels')).toEqual({ a: '1', 'x/y': 'z' });
    const bad = await patch('json', 'json-patch+json', [{ op: 'test', path: '/metadata/labels/a', value: 'other' }]);
    expect([bad.status, bad.body['reason']]).toEqual([422, 'Invalid']);
  });

  test('an unknown patch type answers 415', async () => {
    await create('media');
    expect((await patch('media', 'nonsense+json', {})).status).toBe(415);
  });

  test('an apply creates, owns its fields, and is idempotent', async () => {
    const first = await apply('applied', wholeSpec('applied', 2));
    expect(first.status).toBe(201);
    expect(at(first.body, 'metadata.managedFields.0')).toMatchObject({
      manager: 'me',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
    });
    expect(at(first.body, 'metadata.managedFields.0.fieldsV1')).toMatchObject({
      'f:spec': {
        'f:replicas': {},
        'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"one"}': { '.': {}, 'f:image': {}, 'f:name': {} } } } },
      },
    });
    const again = await apply('applied', wholeSpec('applied', 2));
    expect(again.status).toBe(200);
    expect(at(again.body, 'metadata.resourceVersion')).toBe(at(first.body, 'metadata.resourceVersion'));
  });

  test("an apply over another manager's field answers 409 with the manager and the field; force takes it", async () => {
    await apply('contested', wholeSpec('contested', 2), { manager: 'first' });
    const refused = await apply('contested', wholeSpec('contested', 3), { manager: 'second' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "first": .spec.replicas',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "first"', field: '.spec.replicas' }] },
    });
    const forced = await apply('contested', wholeSpec('contested', 3), { manager: 'second', force: true });
    expect([forced.status, at(forced.body, 'spec.replicas')]).toEqual([200, 3]);
  });

  test('a field that its only manager no longer applies is removed', async () => {
    const minReady = { ...wholeSpec('dropped', 2), minReadySeconds: 5 };
    expect(at((await apply('dropped', minReady)).body, 'spec.minReadySeconds')).toBe(5);
    expect(at((await apply('dropped', wholeSpec('dropped', 2))).body, 'spec.minReadySeconds')).toBeUndefined();
  });

  test('so is a member that becomes empty: an empty one would be refused', async () => {
    const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
    await apply('recreated', { ...wholeSpec('recreated', 1), strategy: rolling });
    const { status, body } = await apply('recreated', { ...wholeSpec('recreated', 1), strategy: { type: 'Recreate' } });
    expect([status, at(body, 'spec.strategy')]).toEqual([200, { type: 'Recreate' }]);
  });

  test('an apply of an object with its status neither writes nor owns the status', async () => {
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'whole' },
      spec: wholeSpec('whole'),
      status: { replicas: 7 },
    };
    const applied = { method: 'PATCH', contentType: 'application/apply-patch+yaml', body };
    const made = await stage().client.call(path('whole?fieldManager=me'), applied);
    expect(at(made.body, 'status.replicas')).toBeUndefined();
    const again = await stage().client.call(path('whole?fieldManager=me'), applied);
    expect(again.status).toBe(200);
    const owned = JSON.stringify(at(again.body, 'metadata.managedFields'));
    expect(owned).toContain('f:spec');
    expect(owned).not.toContain('f:status');
  });

  test('an apply without a field manager is refused', async () => {
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: wholeSpec('x') };
    const { status } = await stage().client.call(path('x'), { method: 'PATCH', contentType: 'application/apply-patch+yaml', body });
    expect([400, 422]).toContain(status);
  });

  test('who applied less keeps only that, and who takes over is no longer fought for', async () => {
    await apply('handed', wholeSpec('handed', 1), { manager: 'old' });
    expect((await apply('handed', { replicas: 2 }, { manager: 'new' })).status).toBe(409);
    expect((await apply('handed', { replicas: 2 }, { manager: 'new', force: true })).status).toBe(200);
    expect((await apply('handed', wholeSpec('handed'), { manager: 'old' })).status).toBe(200);
    const released = await apply('handed', {}, { manager: 'new' });
    expect(at(released.body, 'spec.replicas')).toBe(1);
  });
};
