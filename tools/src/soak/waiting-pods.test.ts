import { expect, test } from '@jest/globals';
import type { LocalEvent } from '@karpenter/api-server';
import { WaitingPods } from './waiting-pods.ts';

const MINUTE_MS = 60_000;

/** Pods that a test lets come, get a node and go, on a clock of its own. */
const somePods = () => {
  const state = { nowMs: 0, listen: (_: LocalEvent<never>): void => undefined };
  const watch = (_: unknown, listener: (event: LocalEvent<never>) => void): Disposable => {
    state.listen = listener;
    return { [Symbol.dispose]: () => undefined };
  };
  const waiting = new WaitingPods({ clock: { now: () => state.nowMs }, local: { watch } });
  const pod = (type: LocalEvent<never>['type'], uid: string, nodeName?: string): void => {
    const object = { metadata: { uid, creationTimestamp: new Date(0).toISOString() }, spec: { nodeName } };
    state.listen({ type, object } as never);
  };
  const atMinute = (minute: number): void => void (state.nowMs = minute * MINUTE_MS);
  return { waiting, pod, atMinute };
};

test('a pod that waited for too long between two samples is counted once, when it has its node', () => {
  const { waiting, pod, atMinute } = somePods();
  for (const uid of ['late', 'early']) pod('ADDED', uid);
  atMinute(10);
  pod('MODIFIED', 'early');
  pod('MODIFIED', 'early', 'node');
  atMinute(16);
  expect(waiting.counts()).toEqual({ missed: 1, deleted: 0 });
  pod('MODIFIED', 'late', 'node');
  atMinute(60);
  pod('DELETED', 'late', 'node');
  expect(waiting.counts()).toEqual({ missed: 1, deleted: 0 });
});

test('a pod that is deleted while it waits is counted, and was missed if it waited for too long', () => {
  const { waiting, pod, atMinute } = somePods();
  for (const uid of ['late', 'early']) pod('ADDED', uid);
  atMinute(5);
  pod('DELETED', 'early');
  expect(waiting.counts()).toEqual({ missed: 0, deleted: 1 });
  atMinute(20);
  pod('DELETED', 'late');
  expect(waiting.counts()).toEqual({ missed: 1, deleted: 2 });
});
