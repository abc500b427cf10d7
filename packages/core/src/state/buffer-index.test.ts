import { describe, expect, test } from '@jest/globals';
import type { CapacityBuffer } from '../apis/index.ts';
import { BufferIndex } from './buffer-index.ts';
import { ObjectGuard } from './object-guard.ts';

const template = { spec: { containers: [] } };

const bufferOf = (namespace: string, name: string, replicas: number): CapacityBuffer => ({
  ...{ apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: { namespace, name } },
  spec: { podTemplateRef: { name: 'web' }, replicas },
});

/** An index that knows the template of each. */
const knowing = (...all: readonly CapacityBuffer[]) => {
  const index = new BufferIndex(undefined, new ObjectGuard({ reporter: { report: () => undefined } }));
  for (const buffer of all) index.resolve(buffer, { source: { template } });
  return { index, chunksOf: (buffer: CapacityBuffer) => index.chunksOf(buffer, 0) };
};

describe('the chunks of buffers', () => {
  test('of one namespace are at most 10,000: who came first keeps its own, and the other gets what becomes free', () => {
    const [first, second, elsewhere] = [bufferOf('shop', 'a', 8_000), bufferOf('shop', 'b', 8_000), bufferOf('bank', 'a', 8_000)];
    const { index, chunksOf } = knowing(first, second, elsewhere);
    expect([first, second, elsewhere, first].map(chunksOf)).toEqual([8_000, 2_000, 8_000, 8_000]);
    expect([first, second].map((buffer) => index.lackOf(buffer))).toEqual([0, 6_000]);
    expect([bufferOf('shop', 'a', 1_000), second].map(chunksOf)).toEqual([1_000, 8_000]);
    expect(index.lackOf(second)).toBe(0);
  });

  test('of a buffer that is deleted are free for others', () => {
    const [first, second] = [bufferOf('shop', 'a', 10_000), bufferOf('shop', 'b', 10_000)];
    const { chunksOf } = knowing(first, second);
    expect([first, second].map(chunksOf)).toEqual([10_000, 0]);
    const deleted = { ...first, metadata: { ...first.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect([deleted, second].map(chunksOf)).toEqual([0, 10_000]);
  });

  test('of all are at most 100,000, however many namespaces have some', () => {
    const all = Array.from({ length: 15 }, (_, index) => bufferOf(`namespace-${index}`, 'a', 20_000));
    const chunks = all.map(knowing(...all).chunksOf);
    expect(chunks.reduce((sum, count) => sum + count, 0)).toBe(100_000);
    expect(Math.max(...chunks)).toBe(10_000);
  });
});
