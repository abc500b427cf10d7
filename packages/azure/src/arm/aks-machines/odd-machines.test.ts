import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { machineTags } from '../../machines/machine-tags.ts';
import { aksMachines } from '../../machines/aks/aks-machines.ts';
import { answerReader } from '../calls/answer-reader.ts';
import { guardedCalls } from '../calls/guarded-calls.ts';
import type { AgentPoolLine } from './agent-pool-line.ts';
import { aksMachineReads } from './aks-machine-reads.ts';

const { signal } = new AbortController();
const clock = fakeClock();
const tags = { [machineTags.nodePool]: 'general', [machineTags.cluster]: 'main' };
const good = { id: '/machines/a', name: 'a', zones: ['1'], properties: { hardware: { vmSize: 'Standard_D2s_v3' }, tags } };

const ofProperties = (more: object) => ({ ...good, properties: { ...good.properties, ...more } });

/** A pool whose every question has one answer. */
const answering = (answer: unknown) => {
  const reported: unknown[] = [];
  const readAll = answerReader({ warn: (_message, fields) => void reported.push(fields) });
  const isThere = () => Promise.resolve(true);
  const line: AgentPoolLine = { ...guardedCalls(clock), readAll, send: () => Promise.resolve(answer), at: (path) => path, isThere };
  return { reads: aksMachineReads(line, clock), reported };
};

const listed = async (machine: unknown) => {
  const { reads, reported } = answering({ value: [good, machine] });
  const scope = { subscriptionId: 's', nodeResourceGroup: 'r', location: 'eastus', clusterName: 'main' };
  const machines = aksMachines({ arm: { ...reads } as never, scope, poolName: 'machines', clock });
  return { names: (await machines.list(signal)).map(({ name, zone }) => `${name} ${zone}`), reported: reported.length };
};

describe('a machine of the pool that is not as it should be', () => {
  test.each<[string, unknown, Awaited<ReturnType<typeof listed>>]>([
    ['without zones', { ...good, zones: null }, { names: ['aks-a eastus-1', 'aks-a 0'], reported: 0 }],
    ['without tags, of somebody else', ofProperties({ tags: null }), { names: ['aks-a eastus-1'], reported: 0 }],
    ['without a size', ofProperties({ hardware: undefined }), { names: ['aks-a eastus-1'], reported: 1 }],
    ['without properties', { ...good, properties: null }, { names: ['aks-a eastus-1'], reported: 1 }],
    ['of another kind', 'a', { names: ['aks-a eastus-1'], reported: 1 }],
    ['with words that are none', ofProperties({ resourceId: 5, status: [] }), { names: ['aks-a eastus-1', 'aks-a eastus-1'], reported: 0 }],
  ])('%s costs the list at most itself', async (_, machine, expected) => {
    expect(await listed(machine)).toEqual(expected);
  });

  test('is not taken for gone when it is read by name', async () => {
    await expect(answering({ name: 'a' }).reads.getMachine('a', signal)).rejects.toMatchObject({ name: 'ArmError', code: 'server' });
  });

  test('keeps what is not read of it: it is written back', async () => {
    expect(await answering(ofProperties({ kubernetes: { maxPods: 30 } })).reads.getMachine('a', signal)).toMatchObject({
      properties: { kubernetes: { maxPods: 30 } },
    });
  });
});
