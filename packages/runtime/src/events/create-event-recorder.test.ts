import { describe, expect, test } from '@jest/globals';
import { KubeError } from '../client/kube-error.ts';
import { fakeClock } from '../clock/fake-clock.ts';
import { silentLogger } from '../log/logger.ts';
import { createEventRecorder, type EventRecorderOptions } from './create-event-recorder.ts';
import type { RecordedEvent } from './event-recorder.ts';

interface Written {
  readonly verb: 'create' | 'patch';
  readonly name: string;
  readonly body: object;
}

const recording = (options: Partial<EventRecorderOptions> = {}) => {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const written: Written[] = [];
  const warnings: string[] = [];
  const client: EventRecorderOptions['client'] = {
    create: (_kind, object) => {
      written.push({ verb: 'create', name: object.metadata.name, body: object });
      return Promise.resolve(object);
    },
    patch: (_kind, key, patch) => {
      written.push({ verb: 'patch', name: key.name, body: patch.body });
      return Promise.resolve({} as never);
    },
  };
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const recorder = createEventRecorder({ client, clock, logger, component: 'karpenter', instance: 'pod-1', ...options });
  return { clock, written, warnings, recorder };
};

const evicted: RecordedEvent = {
  subject: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u1' },
  type: 'Normal',
  reason: 'Evicted',
  message: 'Evicted pod: empty node',
};

describe('an event', () => {
  test('is written where kubectl describe looks', async () => {
    const { written, recorder } = recording();
    recorder.record(evicted);
    await recorder.flush();
    expect(written).toMatchObject([
      {
        verb: 'create',
        body: {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { namespace: 'shop', name: expect.stringMatching(/^web\.[0-9a-f]{12}$/) as unknown },
          involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u1' },
          type: 'Normal',
          reason: 'Evicted',
          message: 'Evicted pod: empty node',
          source: { component: 'karpenter' },
          reportingInstance: 'pod-1',
          firstTimestamp: '2026-01-01T00:00:00Z',
          count: 1,
        },
      },
    ]);
  });

  test('of a cluster-scoped object lives in the default namespace', async () => {
    const { written, recorder } = recording();
    recorder.record({ ...evicted, subject: { apiVersion: 'v1', kind: 'Node', name: 'n1' } });
    await recorder.flush();
    expect(written[0]?.body).toMatchObject({ metadata: { namespace: 'default' } });
  });

  test('that happens again soon is swallowed, later it is counted up with those', async () => {
    const { clock, written, recorder } = recording();
    for (let time = 0; time < 4; time += 1) {
      recorder.record(evicted);
      await clock.advance(60_000);
    }
    await recorder.flush();
    expect(written.map(({ verb }) => verb)).toEqual(['create', 'patch']);
    expect(written[1]).toMatchObject({ name: written[0]?.name, body: { count: 3, lastTimestamp: '2026-01-01T00:02:00Z' } });
  });

  test('is another one when its subject, reason or message is another, unless it says what makes it equal', async () => {
    const { written, recorder } = recording();
    recorder.record(evicted);
    recorder.record({ ...evicted, message: 'another' });
    recorder.record({ ...evicted, reason: 'Other' });
    recorder.record({ ...evicted, subject: { ...evicted.subject, uid: 'u2' } });
    recorder.record({ ...evicted, reason: 'Waits', message: 'for 1 s', dedupeBy: ['node-1'] });
    recorder.record({ ...evicted, reason: 'Waits', message: 'for 2 s', dedupeBy: ['node-1'] });
    await recorder.flush();
    expect(written).toHaveLength(5);
  });

  test('that is counted up while its message changes has the latest message', async () => {
    const { clock, written, recorder } = recording();
    for (const message of ['for 1 s', 'for 121 s']) {
      recorder.record({ ...evicted, reason: 'Waits', message, dedupeBy: ['node-1'] });
      await clock.advance(120_000);
    }
    await recorder.flush();
    expect(written[1]).toMatchObject({ verb: 'patch', body: { count: 2, message: 'for 121 s' } });
  });
});

describe('a recorder', () => {
  test('drops what comes too fast', async () => {
    const { written, recorder } = recording({ rate: { perSecond: 1, burst: 5 } });
    const subject = { apiVersion: 'v1', kind: 'Node', name: 'node-1' };
    for (let each = 0; each < 20; each += 1) recorder.record({ ...evicted, subject, message: `number ${each}` });
    await recorder.flush();
    expect(written).toHaveLength(5);
  });

  test('when events of a reason come too fast, drops those and none of another reason', async () => {
    const { written, recorder } = recording({ rate: { perSecond: 1, burst: 10 } });
    const nominated = { ...evicted, reason: 'Nominated', reasonRate: { perSecond: 1, burst: 3 } };
    for (let each = 0; each < 20; each += 1) recorder.record({ ...nominated, message: `number ${each}` });
    recorder.record(evicted);
    await recorder.flush();
    expect(written.map(({ body }) => body)).toMatchObject(
      ['Nominated', 'Nominated', 'Nominated', evicted.reason].map((reason) => ({ reason })),
    );
  });

  test('keeps only so much while the API server does not answer', async () => {
    const answer = Promise.withResolvers<never>();
    let created = 0;
    const client: EventRecorderOptions['client'] = {
      create: () => {
        created += 1;
        return answer.promise;
      },
      patch: () => Promise.resolve(undefined),
    };
    const { recorder } = recording({ client, rate: { perSecond: 1_000_000, burst: 1_000_000 } });
    for (let each = 0; each < 5_000; each += 1) recorder.record({ ...evicted, message: `number ${each}` });
    answer.resolve({} as never);
    await recorder.flush();
    expect(created).toBe(1_000);
  });

  test('never fails its caller: what cannot be written is logged', async () => {
    const client = {
      create: () => Promise.reject(new KubeError('no', { code: 'forbidden', cause: undefined })),
      patch: () => Promise.resolve(undefined),
    };
    const { warnings, recorder } = recording({ client });
    recorder.record(evicted);
    await recorder.flush();
    expect(warnings).toEqual(['an event could not be written']);
  });

  test('writes again what somebody deleted', async () => {
    const created: unknown[] = [];
    const client: EventRecorderOptions['client'] = {
      create: (_kind, object) => {
        created.push(object);
        return Promise.resolve(object);
      },
      patch: () => Promise.resolve(undefined),
    };
    const { clock, recorder } = recording({ client });
    recorder.record(evicted);
    await clock.advance(1_800_000);
    recorder.record(evicted);
    await recorder.flush();
    expect(created).toMatchObject([{ count: 1 }, { count: 2 }]);
  });
});

test('a namespace with very many events has half of what may be written: those about others are written, and its own again later', async () => {
  const { clock, written, recorder } = recording();
  const about = (namespace: string, name: string): RecordedEvent => ({ ...evicted, subject: { ...evicted.subject, namespace, name } });
  const namesIn = (namespace: string) =>
    written.flatMap(({ body }) => {
      const { metadata } = body as { readonly metadata: { readonly namespace: string; readonly name: string } };
      return metadata.namespace === namespace ? [metadata.name.split('.')[0]] : [];
    });
  for (let index = 0; index < 200; index += 1) recorder.record(about('loud', `pod-${index}`));
  recorder.record(about('quiet', 'web'));
  recorder.record(about('loud', 'quarantined'));
  await recorder.flush();
  expect(namesIn('loud')).toHaveLength(50);
  expect(namesIn('quiet')).toEqual(['web']);
  await clock.advance(10_000);
  recorder.record(about('loud', 'quarantined'));
  await recorder.flush();
  expect(namesIn('loud')).toContain('quarantined');
});
