import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import { poolResources } from './counter.ts';
import { migratedHash } from './hash.ts';
import { nodeClassReadiness } from './readiness.ts';
import { validationChange } from './validation.ts';

describe('what a pool says about its NodeClass', () => {
  const ready = (status: 'True' | 'False' | 'Unknown') => ({
    metadata: { name: 'c' },
    status: { conditions: [{ type: 'Ready', status, reason: 'SubnetsNotFound', message: 'no subnet' }] },
  });
  test.each([
    ['that it is missing', undefined, { status: 'False', reason: 'NodeClassNotFound' }],
    ['that it is going', { metadata: { name: 'c', deletionTimestamp: 'x' } }, { status: 'False', reason: 'NodeClassTerminating' }],
    ['that it has said nothing yet', { metadata: { name: 'c' } }, { status: 'False', reason: 'NodeClassReadinessUnknown' }],
    ['that it does not know', ready('Unknown'), { status: 'False', reason: 'NodeClassReadinessUnknown' }],
    ['its own words when it is not ready', ready('False'), { status: 'False', reason: 'SubnetsNotFound', message: 'no subnet' }],
    ['that it is ready', ready('True'), { status: 'True' }],
  ])('%s', (_, nodeClass, expected) => {
    expect(nodeClassReadiness(nodeClass)).toMatchObject(expected);
  });
});

test('a malformed pool names the field, its value, and what would be accepted', () => {
  expect(validationChange([{ field: 'spec.weight', value: '200', problem: 'must be an integer from 1 to 100' }])).toMatchObject({
    status: 'False',
    reason: 'NodePoolValidationFailed',
    message: 'spec.weight: "200" must be an integer from 1 to 100',
  });
  expect(validationChange([])).toMatchObject({ status: 'True' });
});

test('a pool with a malformed budget is sound: it launches nodes, and says that none is disrupted', () => {
  const problem = { field: 'spec.disruption.budgets[0].schedule', value: '0 9 * * 7', problem: 'must be five fields of cron' };
  expect(validationChange([], [problem])).toMatchObject({
    status: 'True',
    message: 'No node is disrupted: spec.disruption.budgets[0].schedule: "0 9 * * 7" must be five fields of cron',
  });
});

test('a pool without machines shows its resources as zero', () => {
  expect(poolResources({})).toEqual({ cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' });
});

describe('a claim hashed by another rule', () => {
  const wanted = { 'karpenter.sh/nodepool-hash': '2', 'karpenter.sh/nodepool-hash-version': 'new' };
  const aClaim = (version: string, drifted: 'True' | 'False'): NodeClaim => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'a', annotations: { 'karpenter.sh/nodepool-hash': '1', 'karpenter.sh/nodepool-hash-version': version } },
    spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
    status: { conditions: [{ type: 'Drifted', status: drifted }] },
  });

  test('takes over the new hash, so that it does not drift by the change of rule', () => {
    expect(migratedHash(aClaim('old', 'False'), wanted)).toEqual(wanted);
  });
  test('keeps its hash when it has drifted, so that it stays drifted', () => {
    expect(migratedHash(aClaim('old', 'True'), wanted)).toEqual({ 'karpenter.sh/nodepool-hash-version': 'new' });
  });
  test('is left alone when the rule is the same', () => {
    expect(migratedHash(aClaim('new', 'False'), wanted)).toBeUndefined();
  });
});
