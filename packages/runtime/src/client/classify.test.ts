import { describe, expect, test } from '@jest/globals';
import { classifyNetworkError, classifyResponse, classifyWatchError, isAdmissionDenial } from './classify.ts';
import { KubeError, type KubeErrorCode } from './kube-error.ts';

const status = (code: number, reason: string, rest: string | { readonly message: string; readonly details: object }): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason,
  code,
  ...(typeof rest === 'string' ? { message: rest, details: {} } : rest),
});

interface Case {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  readonly code: KubeErrorCode;
}

/** Bodies as API servers and what stands before them send them. */
const table: readonly Case[] = [
  {
    name: 'an update of an old version',
    status: 409,
    body: status(
      409,
      'Conflict',
      'Operation cannot be fulfilled on nodes "n1": the object has been modified; please apply your changes to the latest version and try again',
    ),
    code: 'conflict',
  },
  {
    name: 'a create of a name that is taken',
    status: 409,
    body: status(409, 'AlreadyExists', 'nodeclaims.karpenter.sh "a" already exists'),
    code: 'already-exists',
  },
  {
    name: 'a reason with the name of what every object has',
    status: 403,
    body: status(403, 'constructor', 'denied by a webhook'),
    code: 'forbidden',
  },
  {
    name: 'a body that is no object',
    status: 400,
    body: status(400, 'BadRequest', 'the object provided is unrecognized'),
    code: 'invalid',
  },
  {
    name: 'a verb without RBAC',
    status: 403,
    body: status(403, 'Forbidden', 'pods is forbidden: User "x" cannot list resource "pods"'),
    code: 'forbidden',
  },
  { name: 'a token that ran out', status: 401, body: status(401, 'Unauthorized', 'Unauthorized'), code: 'unauthorized' },
  { name: 'a kind that is not served', status: 404, body: '404 page not found\n', code: 'not-found' },
  { name: 'flow control', status: 429, body: 'Too many requests, please try again later.\n', code: 'too-many-requests' },
  {
    name: 'a continue token that ran out',
    status: 410,
    body: status(410, 'Expired', 'The provided continue parameter is too old'),
    code: 'expired',
  },
  { name: 'a watch from a compacted version', status: 410, body: status(410, 'Gone', 'too old resource version: 1 (20)'), code: 'expired' },
  {
    name: 'an API server that is starting',
    status: 503,
    body: status(503, 'ServiceUnavailable', 'apiserver is shutting down'),
    code: 'unavailable',
  },
  { name: 'a load balancer without a backend', status: 502, body: '<html>Bad Gateway</html>', code: 'unavailable' },
  { name: 'etcd that does not answer', status: 500, body: status(500, 'InternalError', 'etcdserver: request timed out'), code: 'server' },
  {
    name: 'a request that took too long',
    status: 504,
    body: status(504, 'Timeout', 'request did not complete within the allotted timeout'),
    code: 'unavailable',
  },
  { name: 'a reason that is not known yet', status: 422, body: status(422, 'SomethingNew', 'no'), code: 'invalid' },
];

describe('an answer with an error status', () => {
  test.each(table)('$name is $code', ({ status: httpStatus, body, code }) => {
    const failure = classifyResponse({ status: httpStatus, body });
    expect(failure).toBeInstanceOf(KubeError);
    expect(failure.code).toBe(code);
    expect(failure.status).toBe(httpStatus);
    expect(failure.cause).toBe(body);
    expect(failure.message).not.toBe('');
  });

  test('names the fields that were refused', () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: "x"', field: 'spec.limits.cpu' }];
    const failure = classifyResponse({
      status: 422,
      body: status(422, 'Invalid', { message: 'NodePool.karpenter.sh "p" is invalid', details: { causes } }),
    });
    expect(failure.code).toBe('invalid');
    expect(failure.causes).toEqual([{ reason: 'FieldValueInvalid', message: 'Invalid value: "x"', field: 'spec.limits.cpu' }]);
  });

  test('says when to come back, by the header before the body', () => {
    const body = status(429, 'TooManyRequests', { message: 'later', details: { retryAfterSeconds: 10 } });
    expect(classifyResponse({ status: 429, body }).retryAfterMs).toBe(10_000);
    expect(classifyResponse({ status: 429, body, retryAfterMs: 1_000 }).retryAfterMs).toBe(1_000);
  });
});

describe('an ERROR event of a watch', () => {
  test('is what its Status says', () => {
    expect(classifyWatchError(status(410, 'Expired', 'too old resource version')).code).toBe('expired');
    expect(classifyWatchError(status(500, 'InternalError', 'boom')).code).toBe('server');
  });

  test('without a Status is a server error', () => {
    expect(classifyWatchError({ unexpected: true }).code).toBe('server');
  });
});

describe('a failure on the way', () => {
  test.each([
    [{ code: 'ECONNREFUSED' }, 'network'],
    [{ code: 'ECONNRESET' }, 'network'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'network'],
    [{ name: 'TimeoutError' }, 'timeout'],
    [{ name: 'AbortError' }, 'aborted'],
  ] as const)('%o is %s', (fields, expected) => {
    const error = Object.assign(new Error('why'), fields);
    const failure = classifyNetworkError(error, 'list Pod');
    expect(failure).toMatchObject({ code: expected, cause: error, message: 'list Pod: why' });
  });

  test('of several connection attempts names all of them', () => {
    const failure = classifyNetworkError(new AggregateError([new Error('refused ::1'), new Error('refused 127.0.0.1')]), 'get Node');
    expect(failure.message).toBe('get Node: refused ::1; refused 127.0.0.1');
  });

  test('that is a KubeError stays what it is', () => {
    const failure = new KubeError('x', { code: 'expired', cause: undefined });
    expect(classifyNetworkError(failure, 'watch Pod')).toBe(failure);
  });
});

test.each([
  ['admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-tags] no owner', 403, true],
  ['admission webhook "a.b" denied the request without explanation', 400, true],
  ['admission webhook "a.b" denied the request: not ready yet', 429, false],
  ['admission webhook "a.b" denied the request: not ready yet', 503, false],
  [
    `nodeclaims.karpenter.sh "a" is forbidden: ValidatingAdmissionPolicy 'demo' with binding 'all' denied request: failed expression: false`,
    403,
    true,
  ],
  [`nodeclaims.karpenter.sh "a" is forbidden: policy 'demo' denied request: no owner`, 422, true],
  ['nodeclaims.karpenter.sh is forbidden: User "x" cannot create resource "nodeclaims" in API group "karpenter.sh"', 403, false],
  ['Internal error occurred: failed calling webhook "a.b": Post "https://a.b": connection refused', 500, false],
])('%s (%d) › a denial of admission: %s', (message, code, isDenial) => {
  expect(isAdmissionDenial(classifyResponse({ status: code, body: status(code, '', message) }))).toBe(isDenial);
});
