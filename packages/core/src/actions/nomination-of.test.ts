import { expect, test } from '@jest/globals';
import type { Pod } from '../kube/index.ts';
import { nominationOf } from './nomination-of.ts';

const waiting: Pod = { metadata: { name: 'web' }, spec: { containers: [] } };
const withSpec = (spec: Partial<Pod['spec']>): Pod => ({ ...waiting, spec: { ...waiting.spec, ...spec } });

test.each([
  ['a pod that waits', waiting, 'nominate'],
  ['one whose nomination was cleared', { ...waiting, status: { nominatedNodeName: '' } }, 'nominate'],
  ['one that says so already', { ...waiting, status: { nominatedNodeName: 'n' } }, 'nominated'],
  ['one for which kube-scheduler makes room elsewhere', { ...waiting, status: { nominatedNodeName: 'other' } }, 'leave'],
  ['one that has a node', withSpec({ nodeName: 'n' }), 'leave'],
  ['one that goes', { ...waiting, metadata: { name: 'web', deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'leave'],
  ['one that has ended', { ...waiting, status: { phase: 'Failed' as const } }, 'leave'],
  ['one that a gate holds', withSpec({ schedulingGates: [{ name: 'quota' }] }), 'leave'],
  ['one of kube-scheduler by name', withSpec({ schedulerName: 'default-scheduler' }), 'nominate'],
  ['one of another scheduler', withSpec({ schedulerName: 'batch-scheduler' }), 'leave'],
])('%s', (_, pod, expected) => expect(nominationOf(pod, 'n')).toBe(expected));
