import { expect, test } from '@jest/globals';
import { createEventRecorder, fakeClock } from '@karpenter/runtime';
import type { EventRecorderOptions } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import { nodeTroubleEvents } from './node-events.ts';
import type { NodeTrouble } from './node-events.ts';

const SECOND_MS = 1000;
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', uid: 'uid-a' },
  spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
};

/**
 * `seconds` of a drain that is reported each second, a pod and a figure of its budget gone every three. Gives what is
 * written, in order.
 */
const writtenOf = async (seconds: number, holdsAt: (second: number) => Extract<NodeTrouble, { kind: 'drain-waiting' }>['holds']) => {
  const clock = fakeClock();
  const written: string[] = [];
  const client: EventRecorderOptions['client'] = {
    create: (_kind, object) => {
      written.push(`create ${object.metadata.name.split('.')[0] ?? ''}`);
      return Promise.resolve(object);
    },
    patch: (_kind, { name }, { body }) => {
      written.push(`patch ${name.split('.')[0] ?? ''} ${'message' in body ? String(body.message) : ''}`);
      return Promise.resolve({} as never);
    },
  };
  const recorder = createEventRecorder({ client, clock, component: 'karpenter', instance: 'pod-1' });
  for (let second = 0; second < seconds; second += 1) {
    const left = 1000 - Math.floor(second / 3);
    const message = `Waiting for pods: default/web-${left} (The disruption budget web needs ${left} healthy pods)`;
    const node = { metadata: { name: 'node-a', uid: 'uid-node-a' } };
    for (const event of nodeTroubleEvents({
      kind: 'drain-waiting',
      node,
      claim,
      message,
      pods: [`default/web-${left}`],
      holds: holdsAt(second),
    }))
      recorder.record(event);
    await clock.advance(SECOND_MS);
  }
  await recorder.flush();
  return written;
};

test('a drain that goes on slowly has one event on its node and its claim, however often its pods and figures change', async () => {
  expect(await writtenOf(60, () => ['refused'])).toEqual(['create node-a', 'create a']);
});

test('the event of a drain that waits is counted up every five minutes, with the pods that hold it up by then', async () => {
  const text = 'Failed to drain node, Waiting for pods: default/web-900 (The disruption budget web needs 900 healthy pods)';
  expect(await writtenOf(301, () => ['refused'])).toEqual(['create node-a', 'create a', `patch node-a ${text}`, `patch a ${text}`]);
});

test('a drain that is held by something else too says so at once', async () => {
  const written = await writtenOf(20, (second) => (second < 10 ? ['refused'] : ['do-not-disrupt', 'refused']));
  expect(written).toEqual(['create node-a', 'create a', 'create node-a', 'create a']);
});
