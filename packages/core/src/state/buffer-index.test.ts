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

describe('the template of a buffer', () => {
  const templateWith = (env: string, labelled: Readonly<Record<string, string>> = { app: 'web' }) => ({
    metadata: { labels: labelled, annotations: { note: env } },
    spec: { containers: [{ name: 'main', image: env, env: [{ name: 'LARGE', value: env }], resources: { requests: { cpu: '1' } } }] },
  });
  const specsOf = (index: BufferIndex, all: readonly CapacityBuffer[]) =>
    new Set(
      all
        .flatMap((buffer) => (index.chunksOf(buffer, 0) > 0 ? [index.resolutionOf(buffer)] : []))
        .map((each) => each && 'source' in each && each.source.template),
    );

  test('when a thousand buffers name one of a megabyte › what decides about its pods is kept, once', () => {
    const all = Array.from({ length: 1000 }, (_, index) => bufferOf('shop', `spare-${index}`, 1));
    const { index } = knowing();
    for (const buffer of all) index.resolve(buffer, { source: { template: templateWith('x'.repeat(1_000_000)) } });
    const kept = specsOf(index, all);
    expect(kept.size).toBe(1);
    expect(JSON.stringify([...kept])).toBe(
      '[{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}]',
    );
  });

  test('when what decides about its pods is longer than 256 Ki characters › the buffer is not resolved, and says so', () => {
    const buffer = bufferOf('shop', 'spare', 1);
    const { index, chunksOf } = knowing(buffer);
    const labelled = Object.fromEntries(Array.from({ length: 5000 }, (_, each) => [`example.com/${'l'.repeat(50)}-${each}`, 'x']));
    index.resolve(buffer, { source: { template: templateWith('', labelled) } });
    expect(chunksOf(buffer)).toBe(0);
    expect(index.resolutionOf(buffer)).toMatchObject({ failure: { message: expect.stringContaining('262,144') as unknown } });
  });
});
