import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { Batcher } from './batcher.ts';

const aScene = () => {
  const clock = fakeClock();
  const batcher = new Batcher({ clock, idleMs: 1000, maxMs: 10_000 });
  let closed = 0;
  const listen = (signal = new AbortController().signal) => batcher.wait(signal).then(() => void (closed += 1));
  return { clock, batcher, listen, closed: () => closed };
};

/** One window has closed, and soon after a pod opened the next. */
const aStream = async () => {
  const scene = aScene();
  void scene.listen();
  scene.batcher.trigger('a');
  await scene.clock.advance(5000);
  void scene.listen();
  scene.batcher.trigger('b');
  return scene;
};

describe('a batch', () => {
  test('waits for a first reason as long as it takes', async () => {
    const { clock, listen, closed } = aScene();
    void listen();
    await clock.advance(3_600_000);
    expect(closed()).toBe(0);
  });

  test('of a lone pod on a quiet cluster closes at once', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    batcher.trigger('a');
    await clock.advance(74);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('of a second pod soon after stays open for a second, so that a stream is planned together', async () => {
    const { clock, closed } = await aStream();
    await clock.advance(999);
    expect(closed()).toBe(1);
    await clock.advance(1);
    expect(closed()).toBe(2);
  });

  test('of a lone pod is planned at once although a reminder came before', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    batcher.trigger('a');
    await clock.advance(8000);
    void listen();
    batcher.remind();
    await clock.advance(4000);
    void listen();
    batcher.trigger('b');
    await clock.advance(75);
    expect(closed()).toBe(3);
  });

  test('on a quiet cluster waits longer the more pods come together, and never longer than a second', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    for (let each = 0; each < 50; each += 1) batcher.trigger(String(each));
    await clock.advance(999);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('closes one second after the last new reason', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    for (let each = 0; each < 20; each += 1) batcher.trigger(String(each));
    await clock.advance(900);
    batcher.trigger('b');
    await clock.advance(999);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('is not kept open by the same reason again', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    for (let each = 0; each < 4; each += 1) {
      batcher.trigger('a');
      await clock.advance(300);
    }
    expect(closed()).toBe(1);
  });

  test('closes after ten seconds whatever comes', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    for (let each = 0; each < 20; each += 1) batcher.trigger(`first ${each}`);
    for (let each = 0; each < 20; each += 1) {
      batcher.trigger(String(each));
      await clock.advance(500);
    }
    expect(closed()).toBe(1);
  });

  test.each([
    ['waits while kube-scheduler binds pods and has others in its queue, and never longer than ten seconds', true, [1, 1, 2]],
    ['closes one second after the last new pod where the queue is empty', false, [2, 2, 2]],
  ])('in a stream %s', async (_, hasQueuedPods, expected) => {
    const { clock, batcher, closed } = await aStream();
    const seen: number[] = [];
    for (let each = 1; each <= 25; each += 1) {
      await clock.advance(400);
      batcher.extend(hasQueuedPods);
      if ([3, 24, 25].includes(each)) seen.push(closed());
    }
    expect(seen).toEqual(expected);
  });

  test('of a pod that lost its place waits until kube-scheduler has bound no pod for a second', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    batcher.triggerByLoss('a');
    for (let each = 0; each < 5; each += 1) {
      await clock.advance(900);
      batcher.extend(false);
    }
    await clock.advance(999);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('of a lone pod on a quiet cluster closes at once although kube-scheduler binds others', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    batcher.trigger('a');
    await clock.advance(50);
    batcher.extend(true);
    await clock.advance(25);
    expect(closed()).toBe(1);
  });

  test('is not opened by pods that are bound', async () => {
    const { clock, batcher, listen, closed } = aScene();
    void listen();
    batcher.extend(true);
    await clock.advance(20_000);
    expect(closed()).toBe(0);
  });

  test('takes in triggers that came while nobody was waiting', async () => {
    const { clock, batcher, listen, closed } = aScene();
    batcher.trigger('a');
    await clock.advance(60_000);
    await listen();
    expect(closed()).toBe(1);
  });

  test('ends with its signal', async () => {
    const { listen } = aScene();
    const end = new AbortController();
    const waiting = listen(end.signal);
    end.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});

describe('arrivals', () => {
  const closing = async ({ clock, listen }: Pick<ReturnType<typeof aScene>, 'clock' | 'listen'>, ms: number) => {
    const closed = listen();
    await clock.advance(ms);
    await closed;
  };

  test('are quiet where a lone pod comes', async () => {
    const { batcher, ...scene } = aScene();
    batcher.trigger('a');
    await closing(scene, 75);
    expect(batcher.arrivals).toBe('quiet');
  });

  test('are steady where a window opens soon after another, recurring within a minute, and quiet after that', async () => {
    const { batcher, ...scene } = aScene();
    batcher.trigger('a');
    await closing(scene, 75);
    await scene.clock.advance(5000);
    batcher.trigger('b');
    await closing(scene, 1000);
    expect(batcher.arrivals).toBe('steady');
    await scene.clock.advance(20_000);
    batcher.trigger('c');
    await closing(scene, 75);
    expect(batcher.arrivals).toBe('recurring');
    await scene.clock.advance(60_000);
    batcher.trigger('d');
    await closing(scene, 75);
    expect(batcher.arrivals).toBe('quiet');
  });

  test('are steady in a first window that pods kept open to its end', async () => {
    const { batcher, clock, listen } = aScene();
    const closed = listen();
    for (let each = 0; each < 210; each += 1) {
      batcher.trigger(`pod ${each}`);
      await clock.advance(50);
    }
    await closed;
    expect(batcher.arrivals).toBe('steady');
  });
});
