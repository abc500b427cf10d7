import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { KubeClient, KubeObject, WatchEvent, WatchOptions } from '@karpenter/runtime';
import fc from 'fast-check';
import { DistortedView } from './distorted-view.ts';

const events: readonly WatchEvent<KubeObject>[] = Array.from({ length: 12 }, (_, index) => {
  const resourceVersion = String(index + 1);
  if (index % 4 === 3) return { type: 'bookmark', resourceVersion, initialEventsEnd: false };
  return { type: 'modified', object: { apiVersion: 'v1', kind: 'Thing', metadata: { name: `t${index % 3}`, resourceVersion } } };
});
const versionOf = (event: WatchEvent<KubeObject>): number =>
  Number(event.type === 'bookmark' ? event.resourceVersion : event.object.metadata.resourceVersion);

/** A watch that brings an event every 100 ms and never ends by itself. */
const aDistortedWatch = (chance: readonly number[] = [0]) => {
  const clock = fakeClock();
  let drawn = 0;
  const view = new DistortedView({ clock, random: () => chance[drawn++ % chance.length] ?? 0 });
  const kube = {
    async *watch(_kind: string, { signal }: WatchOptions) {
      for (const event of events) {
        await clock.sleep(100, signal);
        yield event;
      }
      await clock.sleep(3_600_000, signal);
    },
  } as unknown as KubeClient;
  const reported: number[] = [];
  const failures: unknown[] = [];
  const follow = async (): Promise<void> => {
    for await (const event of view.of(kube).watch('Thing')) reported.push(versionOf(event));
  };
  void follow().catch((error: unknown) => failures.push(error));
  return { clock, view, reported, failures };
};

test('whatever the lag, events of a kind come in order, bookmarks in their place among the rest, nothing left out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.double({ min: 0, max: 0.99, noNaN: true }), { minLength: 1 }), async (chance) => {
      const { clock, view, reported } = aDistortedWatch(chance);
      view.distort({ lagMs: 2000, twice: 0.3 });
      await clock.advance(10_000);
      expect(reported).toEqual([...reported].sort((a, b) => a - b));
      expect([...new Set(reported)]).toEqual(events.map(versionOf));
    }),
    { numRuns: 40 },
  );
});

test('another kind is not late', async () => {
  const { clock, view, reported } = aDistortedWatch([0.9]);
  view.distort({ kinds: ['Other'], lagMs: 60_000, twice: 1 });
  await clock.advance(1_250);
  expect(reported).toEqual(events.map(versionOf));
});

test('events come twice, bookmarks do not', async () => {
  const { clock, view, reported } = aDistortedWatch();
  view.distort({ lagMs: 0, twice: 0.1 });
  await clock.advance(450);
  expect(reported).toEqual([1, 1, 2, 2, 3, 3, 4]);
});

test('a watch that breaks loses what is on its way, and says so', async () => {
  const { clock, view, reported, failures } = aDistortedWatch([0.9]);
  await clock.advance(250);
  view.distort({ lagMs: 5_000, twice: 0 });
  await clock.advance(200);
  view.cut(['Other']);
  await clock.advance(0);
  expect(failures).toEqual([]);
  view.cut(['Thing']);
  await clock.advance(10_000);
  expect(reported).toEqual([1, 2]);
  expect(failures).toEqual([expect.objectContaining({ code: 'network' })]);
});
