import { createHttpHeaders, createPipelineRequest, RestError } from '@azure/core-rest-pipeline';
import { describe, expect, test } from '@jest/globals';
import type { ArmError } from '../arm-error.ts';
import { armErrorOf } from './arm-error-of.ts';
import { isAboutSingleMachines, machineRefusalsIn } from './machine-refusals.ts';

interface BatchAnswer {
  readonly status: number;
  readonly body: object;
}

const internalBody = {
  code: 'BatchMachineInternalServerError',
  message: JSON.stringify({ details: [{ code: 'InternalOperationError', message: 'Some bad parameter', target: 'failti1' }] }),
};

const refusalOf = ({ status, body }: BatchAnswer): ArmError => {
  const request = createPipelineRequest({ url: 'https://arm.example/machines/a' });
  const bodyAsText = JSON.stringify(body);
  const { code = '', message = '' } = ('error' in body ? body.error : body) as { code?: string; message?: string };
  const response = { status, request, headers: createHttpHeaders(), bodyAsText };
  const error = armErrorOf(new RestError(message, { code, statusCode: status, request, response }), 0);
  if (error === undefined) throw new Error('an answer of AKS is a failure of Azure');
  return error;
};

const refusalsIn = (answer: BatchAnswer) =>
  [...(machineRefusalsIn(refusalOf(answer)) ?? [])].map(([name, { code, armCode, message }]) => ({ name, code, armCode, message }));

describe('what AKS says of the machines of a batch', () => {
  // Recorded in the original's designs/0010-aks-machines-batch-creation.md.
  const clientBody = {
    code: 'BatchMachineClientError',
    details: [
      { code: 'InvalidParameter', message: 'Some bad parameter', target: 'faultC8' },
      { code: 'InternalOperationError', message: 'Some bad parameter', target: 'failti5' },
    ],
    message: 'the following machines failed with ClientError: faultc8; the following machines failed with InternalError: failti5',
    subcode: '',
  };
  const single = [
    { name: 'faultc8', code: 'refused', armCode: 'InvalidParameter', message: 'InvalidParameter: Some bad parameter' },
    { name: 'failti5', code: 'server', armCode: 'InternalOperationError', message: 'InternalOperationError: Some bad parameter' },
  ];

  test('is split by machine, whether the error is flat or wrapped', () => {
    expect(refusalsIn({ status: 400, body: clientBody })).toEqual(single);
    expect(refusalsIn({ status: 400, body: { error: clientBody } })).toEqual(single);
  });

  test('stands as JSON in the message when AKS is not well', () => {
    expect(refusalsIn({ status: 500, body: internalBody })).toMatchObject([{ name: 'failti1', code: 'server' }]);
  });

  test.each<[string, BatchAnswer]>([
    ['of what they share', { status: 400, body: { code: 'VMSizeNotSupported', message: 'not supported for subscription', details: null } }],
    ['without saying which', { status: 400, body: { code: 'BatchMachineClientError', message: 'some failed', details: [] } }],
    ['in words that are no JSON', { status: 500, body: { code: 'BatchMachineInternalServerError', message: 'some failed' } }],
  ])('is about all of them when it is %s', (_why, answer) => {
    expect(machineRefusalsIn(refusalOf(answer))).toBeUndefined();
  });
});

test('a batch whose machines were answered one by one is not to be sent again', () => {
  expect(isAboutSingleMachines(JSON.stringify(internalBody))).toBe(true);
  expect(isAboutSingleMachines('{"code":"InternalServerError","message":"try later"}')).toBe(false);
  expect(isAboutSingleMachines(undefined)).toBe(false);
});
