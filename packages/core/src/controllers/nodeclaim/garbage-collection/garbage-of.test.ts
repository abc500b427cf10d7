import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Machine } from '../../../cloudprovider/index.ts';
import type { Node } from '../../../kube/index.ts';
import { aKubeNode, aNodeClaim } from '../../../testing/objects.ts';
import { lacksClaim, lacksMachine } from './garbage-collection.ts';
import type { Inventory } from './garbage-collection.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const aMachine = (id: string, parts: Partial<Machine> = {}): Machine => ({
  providerId: id,
  labels: {},
  capacity: {},
  allocatable: {},
  ...parts,
});
const launchedClaim = (name: string, providerID: string, registered: 'True' | 'Unknown' = 'True'): NodeClaim =>
  aNodeClaim(name, { status: { providerID, conditions: [{ type: 'Registered', status: registered }] } });
const nodeThatIs = (ready: 'True' | 'False'): Node => aKubeNode('n', { status: { conditions: [{ type: 'Ready', status: ready }] } });
const inventory = (parts: Partial<Inventory>): Inventory => ({ machines: [], claims: [], nodesWith: () => [], nowMs, ...parts });

describe('a claim without a machine', () => {
  test.each([
    ['is one whose machine the cloud does not know', inventory({ claims: [launchedClaim('a', '1')] }), ['a']],
    [
      'is one whose machine is on its way out',
      inventory({ claims: [launchedClaim('a', '1')], machines: [aMachine('1', { isTerminating: true })] }),
      ['a'],
    ],
    ['is none whose machine is there', inventory({ claims: [launchedClaim('a', '1')], machines: [aMachine('1')] }), []],
    ['is none whose node still answers', inventory({ claims: [launchedClaim('a', '1')], nodesWith: () => [nodeThatIs('True')] }), []],
    [
      'is one whose node no longer answers',
      inventory({ claims: [launchedClaim('a', '1')], nodesWith: () => [nodeThatIs('False')] }),
      ['a'],
    ],
    ['is none that has yet to register', inventory({ claims: [launchedClaim('a', '1', 'Unknown')] }), []],
  ])('%s', (_, given, expected) => {
    expect(given.claims.filter(lacksMachine(given)).map(({ metadata }) => metadata.name)).toEqual(expected);
  });
});

describe('a machine without a claim', () => {
  const old = { createdAt: '2026-01-01T00:00:00Z' };
  test.each([
    ['is one that no claim names', inventory({ machines: [aMachine('1', old)] }), ['1']],
    ['is none that a claim knows by its id', inventory({ machines: [aMachine('1', old)], claims: [launchedClaim('a', '1')] }), []],
    [
      'is none that was made for a claim which does not know it yet',
      inventory({ machines: [aMachine('1', { ...old, claimName: 'a' })], claims: [launchedClaim('a', '')] }),
      [],
    ],
    ['is left alone while it is young', inventory({ machines: [aMachine('1', { createdAt: '2026-01-01T00:59:30Z' })] }), []],
    ['is left alone when it is going already', inventory({ machines: [aMachine('1', { ...old, isTerminating: true })] }), []],
  ])('%s', (_, given, expected) => {
    expect(given.machines.filter(lacksClaim(given)).map(({ providerId }) => providerId)).toEqual(expected);
  });
});
