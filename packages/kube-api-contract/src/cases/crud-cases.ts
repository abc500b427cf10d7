import { expect, test } from '@jest/globals';
import type { SuiteStage } from '../stage.ts';
import { at } from '../kube-client.ts';

/** Create, read, replace, delete; what is refused and how. */
export const createCrudCases = (stage: () => SuiteStage): void => {
  const maps = (): string => `/api/v1/namespaces/${stage().namespace}/configmaps`;
  const map = (name: string, more: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { a: '1' },
    ...more,
  });
  const create = (name: string, more?: object) => stage().client.call(maps(), { method: 'POST', body: map(name, more) });

  test('a create answers 201 with uid, resourceVersion and creationTimestamp', async () => {
    const { status, body } = await create('created');
    expect(status).toBe(201);
    expect(at(body, 'metadata')).toMatchObject({
      name: 'created',
      namespace: stage().namespace,
      uid: expect.any(String),
      resourceVersion: expect.stringMatching(/^\d+$/),
    });
    expect(at(body, 'metadata.creationTimestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('a second create of one name answers 409 AlreadyExists', async () => {
    await create('twice');
    const { status, body } = await create('twice');
    expect(status).toBe(409);
    expect(body).toMatchObject({
      kind: 'Status',
      reason: 'AlreadyExists',
      message: 'configmaps "twice" already exists',
      details: { name: 'twice', kind: 'configmaps' },
      code: 409,
    });
  });

  test('a missing object answers 404 NotFound with its kind and name', async () => {
    const { status, body } = await stage().client.call(`${maps()}/missing`);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      reason: 'NotFound',
      message: 'configmaps "missing" not found',
      details: { name: 'missing', kind: 'configmaps' },
    });
  });

  test('generateName is completed', async () => {
    const { body } = await stage().client.call(maps(), {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } },
    });
    expect(at(body, 'metadata.name')).toMatch(/^gen-[a-z0-9]{5}$/);
  });

  test('a replace with an old resourceVersion answers 409 Conflict', async () => {
    const { body } = await create('locked');
    const moved = await stage().client.call(`${maps()}/locked`, { method: 'PUT', body: { ...body, data: { a: '2' } } });
    expect(moved.status).toBe(200);
    const { status, body: refused } = await stage().client.call(`${maps()}/locked`, { method: 'PUT', body: { ...body, data: { a: '3' } } });
    expect(status).toBe(409);
    expect(refused).toMatchObject({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "locked": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test('a replace that changes nothing keeps the resourceVersion', async () => {
    const { body } = await create('same');
    const { body: after } = await stage().client.call(`${maps()}/same`, { method: 'PUT', body });
    expect(at(after, 'metadata.resourceVersion')).toBe(at(body, 'metadata.resourceVersion'));
  });

  test.each([
    ['an upper-case name', { metadata: { name: 'Upper' } }, 'metadata.name', 'FieldValueInvalid'],
    ['a label key with a blank', { metadata: { name: 'ok', labels: { 'a b': 'c' } } }, 'metadata.labels', 'FieldValueInvalid'],
    ['a label value with a blank', { metadata: { name: 'ok', labels: { a: 'b c' } } }, 'metadata.labels', 'FieldValueInvalid'],
    ['no name at all', { metadata: {} }, 'metadata.name', 'FieldValueRequired'],
  ])('%s answers 422 Invalid with the field and the reason', async (...[, more, field, reason]) => {
    const { status, body } = await create('x', more);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'Invalid',
      details: { causes: expect.arrayContaining([expect.objectContaining({ field, reason })]) },
    });
  });

  test('a member of the wrong type answers 400 BadRequest', async () => {
    const { status, body } = await create('typed', { data: { a: 1 } });
    expect([status, body['reason']]).toEqual([400, 'BadRequest']);
  });

  test.each([
    ['Strict', 400],
    ['Ignore', 201],
  ])('an unknown field under fieldValidation=%s answers %i', async (level, wanted) => {
    const body = map(`unknown-${level.toLowerCase()}`, { nonsense: 1 });
    const { status, body: answer } = await stage().client.call(`${maps()}?fieldValidation=${level}`, { method: 'POST', body });
    expect(status).toBe(wanted);
    if (level === 'Strict') expect(answer['message']).toContain('strict decoding error: unknown field "nonsense"');
    else expect(answer['nonsense']).toBeUndefined();
  });

  test('an unknown field under fieldValidation=Warn comes back as a Warning header', async () => {
    const { headers } = await stage().client.call(`${maps()}?fieldValidation=Warn`, {
      method: 'POST',
      body: map('warned', { nonsense: 1 }),
    });
    expect(String(headers['warning'])).toContain('unknown field \\"nonsense\\"');
  });

  test('dryRun=All answers as if, and writes nothing', async () => {
    const { status } = await stage().client.call(`${maps()}?dryRun=All`, { method: 'POST', body: map('dry') });
    expect(status).toBe(201);
    expect((await stage().client.call(`${maps()}/dry`)).status).toBe(404);
  });

  test.each([
    ['in the query', '?dryRun=All', undefined],
    ['in a body of kind DeleteOptions', '', { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }],
    ['in a body without a kind, as kubectl sends it', '', { propagationPolicy: 'Background', dryRun: ['All'] }],
  ])('a delete with dryRun=All %s answers as if, and deletes nothing', async (_, query, body) => {
    await create('spared');
    const options = { method: 'DELETE', ...(body !== undefined && { body }) };
    expect((await stage().client.call(`${maps()}/spared${query}`, options)).status).toBe(200);
    expect((await stage().client.call(`${maps()}${query}`, options)).status).toBe(200);
    expect((await stage().client.call(`${maps()}/spared`)).status).toBe(200);
    await stage().client.call(`${maps()}/spared`, { method: 'DELETE' });
  });

  test('a finalizer holds a deleted object until it is taken off', async () => {
    await create('held', { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const { body } = await stage().client.call(`${maps()}/held`, { method: 'DELETE' });
    expect(at(body, 'metadata.deletionTimestamp')).toEqual(expect.any(String));
    const patch = { method: 'PATCH', contentType: 'application/merge-patch+json' };
    const added = await stage().client.call(`${maps()}/held`, {
      ...patch,
      body: { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } },
    });
    expect([added.status, added.body['reason']]).toEqual([422, 'Invalid']);
    await stage().client.call(`${maps()}/held`, { ...patch, body: { metadata: { finalizers: null } } });
    expect((await stage().client.call(`${maps()}/held`)).status).toBe(404);
  });

  test('a delete with a foreign uid as precondition answers 409', async () => {
    await create('precious');
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'another' } };
    const { status, body: answer } = await stage().client.call(`${maps()}/precious`, { method: 'DELETE', body });
    expect([status, answer['reason']]).toEqual([409, 'Conflict']);
    expect(answer['message']).toContain('the UID in the precondition (another) does not match the UID in record');
  });

  test('a create with a resourceVersion is refused: it was meant as an update', async () => {
    const { body } = await create('versioned', { metadata: { name: 'versioned', resourceVersion: '7' } });
    expect(body['message']).toContain('resourceVersion should not be set on objects to be created');
    expect((await stage().client.call(`${maps()}/versioned`)).status).toBe(404);
  });

  test('a deletecollection takes what matches, and holds what has finalizers', async () => {
    const labelled = (name: string, more: object = {}) => create(name, { metadata: { name, labels: { swept: 'yes' }, ...more } });
    await labelled('swept-a');
    await labelled('swept-b', { finalizers: ['example.com/hold'] });
    const { status, body } = await stage().client.call(`${maps()}?labelSelector=swept%3Dyes`, { method: 'DELETE' });
    expect([status, (body['items'] as readonly unknown[]).length]).toEqual([200, 2]);
    expect((await stage().client.call(`${maps()}/swept-a`)).status).toBe(404);
    const held = await stage().client.call(`${maps()}/swept-b`);
    expect(at(held.body, 'metadata.deletionTimestamp')).toEqual(expect.any(String));
    const patch = { method: 'PATCH', contentType: 'application/merge-patch+json', body: { metadata: { finalizers: null } } };
    await stage().client.call(`${maps()}/swept-b`, patch);
  });

  test('a delete of an object without finalizers answers Success', async () => {
    await create('plain');
    const { body } = await stage().client.call(`${maps()}/plain`, { method: 'DELETE' });
    expect(body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'plain', kind: 'configmaps' } });
  });

  test('generation counts changes of a PodTemplate, not of its labels', async () => {
    const path = `/api/v1/namespaces/${stage().namespace}/podtemplates`;
    const bodyOf = (image: string, labels = {}) => ({
      ...{ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'g', labels } },
      template: { spec: { containers: [{ name: 'c', image }] } },
    });
    const write = async (method: string, body: object): Promise<unknown> =>
      at((await stage().client.call(method === 'POST' ? path : `${path}/g`, { method, body })).body, 'metadata.generation');
    expect(await write('POST', bodyOf('i'))).toBe(1);
    expect(await write('PUT', bodyOf('i', { x: 'y' }))).toBe(1);
    expect(await write('PUT', bodyOf('j'))).toBe(2);
  });

  test('generation counts changes of the spec, not of labels or status', async () => {
    const path = `/apis/apps/v1/namespaces/${stage().namespace}/deployments`;
    const template = { metadata: { labels: { app: 'g' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'g' },
      spec: { selector: { matchLabels: { app: 'g' } }, template },
    };
    const first = await stage().client.call(path, { method: 'POST', body });
    expect(at(first.body, 'metadata.generation')).toBe(1);
    expect(at(first.body, 'spec')).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    });
    const patch = { method: 'PATCH', contentType: 'application/merge-patch+json' };
    const labelled = await stage().client.call(`${path}/g`, {
      ...patch,
      body: { metadata: { labels: { x: 'y' } }, status: { replicas: 3 } },
    });
    expect([at(labelled.body, 'metadata.generation'), at(labelled.body, 'status.replicas')]).toEqual([1, undefined]);
    const status = await stage().client.call(`${path}/g/status`, { ...patch, body: { spec: { replicas: 9 }, status: { replicas: 3 } } });
    expect([at(status.body, 'metadata.generation'), at(status.body, 'spec.replicas'), at(status.body, 'status.replicas')]).toEqual([
      1, 1, 3,
    ]);
    const scaled = await stage().client.call(`${path}/g/scale`, { ...patch, body: { spec: { replicas: 2 } } });
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 3, selector: 'app=g' } });
    expect(at((await stage().client.call(`${path}/g`)).body, 'metadata.generation')).toBe(2);
    const moved = await stage().client.call(`${path}/g`, { ...patch, body: { spec: { selector: { matchLabels: { app: 'other' } } } } });
    expect(moved.body).toMatchObject({
      reason: 'Invalid',
      details: { causes: expect.arrayContaining([expect.objectContaining({ field: 'spec.selector', reason: 'FieldValueInvalid' })]) },
    });
  });

  test('a patch that names another namespace or uid is refused', async () => {
    await create('itself');
    const patch = { method: 'PATCH', contentType: 'application/merge-patch+json' };
    const moved = await stage().client.call(`${maps()}/itself`, { ...patch, body: { metadata: { namespace: 'elsewhere' } } });
    expect([moved.status, moved.body['reason']]).toEqual([400, 'BadRequest']);
    const other = await stage().client.call(`${maps()}/itself`, { ...patch, body: { metadata: { uid: 'another' } } });
    expect([other.status, at(other.body, 'details.causes.0.field')]).toEqual([422, 'metadata.uid']);
  });

  test('options of a delete that cannot be read are refused, and nothing goes', async () => {
    await create('stays');
    const remove = (body: object) => stage().client.call(`${maps()}/stays`, { method: 'DELETE', body });
    expect((await remove({ gracePeriodSeconds: 'soon' })).status).toBe(400);
    expect((await remove({ propagationPolicy: 'Sideways' })).status).toBe(422);
    expect((await stage().client.call(`${maps()}/stays`)).status).toBe(200);
  });

  test('a budget is not replaced without its resourceVersion', async () => {
    const path = `/apis/policy/v1/namespaces/${stage().namespace}/poddisruptionbudgets`;
    const body = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'firm' }, spec: { minAvailable: 1 } };
    await stage().client.call(path, { method: 'POST', body });
    const blind = await stage().client.call(`${path}/firm`, { method: 'PUT', body });
    expect([blind.status, at(blind.body, 'details.causes.0.field')]).toEqual([422, 'metadata.resourceVersion']);
  });

  test('a finalizer that is no qualified name is refused', async () => {
    const { status, body } = await create('held', { metadata: { name: 'held', finalizers: ['a b'] } });
    expect([status, at(body, 'details.causes.0.field')]).toEqual([422, 'metadata.finalizers']);
  });
};
