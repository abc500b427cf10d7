import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { ApiServer } from '../public/api-server.ts';
import { startApiServer } from '../start-api-server.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const METADATA = { name: 'limits' };

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ clock: fakeClock() });
});
afterEach(() => server.close());

interface Answer {
  readonly code: number;
  readonly message: string | undefined;
  readonly warning: string | null;
}

const send = async (method: string, path: string, body?: object): Promise<Answer> => {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { 'content-type': type };
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { message } = (await response.json()) as { message?: string };
  return { code: response.status, message, warning: response.headers.get('warning') };
};

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];

const post = (plural: string, body: object): Promise<Answer> => send('POST', `/apis/${apiVersion}/${plural}`, body);

const policy = (spec: object): Promise<Answer> =>
  post('validatingadmissionpolicies', {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: METADATA,
    spec: { matchConstraints: { resourceRules: rules }, ...spec },
  });

const bind = (spec: object = { validationActions: ['Deny'] }): Promise<Answer> =>
  post('validatingadmissionpolicybindings', {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: METADATA,
    spec: { policyName: 'limits', ...spec },
  });

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (data: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data });
const few = { validations: [{ expression: 'object.data.size() <= 1', message: 'one entry at most' }] };

describe('a policy with a binding', () => {
  test('denies what its validations do not admit, in the words of the API server', async () => {
    await policy(few);
    await bind();
    expect(await send('POST', configMaps, configMap({ a: '1', b: '2' }))).toMatchObject({
      code: 422,
      message: `configmaps "a" is invalid: : ValidatingAdmissionPolicy 'limits' with binding 'limits' denied request: one entry at most`,
    });
    expect((await send('POST', configMaps, configMap({ a: '1' }))).code).toBe(201);
    expect((await send('PATCH', `${configMaps}/a`, { data: { b: '2' } })).code).toBe(422);
  });

  test('reads the request, the old object and its own variables; the reason makes the code', async () => {
    await policy({
      matchConditions: [{ name: 'others', expression: "request.userInfo.username != 'system:nobody'" }],
      variables: [{ name: 'kept', expression: "has(oldObject.data) && 'keep' in oldObject.data" }],
      validations: [
        {
          expression: "request.operation != 'DELETE' || !variables.kept",
          messageExpression: "request.name + ' is to be kept'",
          reason: 'Forbidden',
        },
      ],
    });
    await bind();
    await send('POST', configMaps, configMap({ keep: '1' }));
    expect(await send('DELETE', `${configMaps}/a`)).toMatchObject({
      code: 403,
      message: expect.stringMatching(/^configmaps "a" is forbidden: .*denied request: a is to be kept$/),
    });
  });

  test('only warns where the binding says so', async () => {
    await policy(few);
    await bind({ validationActions: ['Warn'] });
    expect(await send('POST', configMaps, configMap({ a: '1', b: '2' }))).toMatchObject({
      code: 201,
      warning: expect.stringContaining('one entry at most'),
    });
  });

  test('speaks of what the binding selects, and of nothing else', async () => {
    await policy(few);
    await bind({ validationActions: ['Deny'], matchResources: { namespaceSelector: { matchLabels: { strict: 'yes' } } } });
    expect((await send('POST', configMaps, configMap({ a: '1', b: '2' }))).code).toBe(201);
    server.local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels: { strict: 'yes' } } });
    expect((await send('POST', configMaps.replace('default', 'strict'), configMap({ a: '1', b: '2' }))).code).toBe(422);
  });
});

test('a policy without a binding does nothing', async () => {
  await policy(few);
  expect((await send('POST', configMaps, configMap({ a: '1', b: '2' }))).code).toBe(201);
});

test.each([
  ['Fail', 422],
  ['Ignore', 201],
])('an expression that errs, with failurePolicy %s', async (failurePolicy, code) => {
  await policy({ failurePolicy, validations: [{ expression: "object.data['missing'] == 'x'" }] });
  await bind();
  expect((await send('POST', configMaps, configMap({ a: '1' }))).code).toBe(code);
});

test('an expression that does not compile, and parameters, are refused with the policy', async () => {
  expect(await policy({ validations: [{ expression: 'object.data.size( <= 1' }] })).toMatchObject({
    code: 422,
    message: expect.stringContaining('spec.validations[0].expression'),
  });
  expect(await policy({ ...few, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })).toMatchObject({
    code: 422,
    message: expect.stringContaining('spec.paramKind'),
  });
});
