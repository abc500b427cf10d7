import { expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import { refusal } from '@karpenter/azure-emulator';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { aDeployment, aNodeClass, poolOfD4 } from './testing/clusters/objects.ts';
import { storyMode } from './testing/stories/provision-mode.ts';
import { settled } from './testing/stories/story-ends.ts';
import { type Story, startStory } from './testing/stories/story.ts';

// They run side by side, and share a busy machine.
jest.setTimeout(300_000);

const MINUTE = 60_000;
const nodePools: KindRef<NodePool & ApiObject> = { kind: 'NodePool', apiVersion: 'karpenter.sh/v1' };

const pauseOf = ({ cluster }: Story) =>
  cluster.local.list(nodePools).flatMap(({ status }) => status?.conditions?.filter(({ type }) => type === 'LaunchBackoff') ?? [])[0];

/** The call that fails later: where AKS writes the user data, an extension runs the script. */
const failing = storyMode.name === 'bootstrappingclient' ? 'VirtualMachineExtensions_CreateOrUpdate' : storyMode.create;

/** The time between one create request for a machine and the next, in ms. */
const waitsOf = ({ cluster }: Story): readonly number[] => {
  const asked = cluster.arm.requests.of(storyMode.create).map(({ atMs }) => atMs);
  return asked.slice(1).map((atMs, index) => atMs - (asked[index] ?? 0));
};

test('a script that fails on every machine has them asked for slower and slower, and the pool says why; once it is mended pods run', async () => {
  await using story = await startStory(aNodeClass, poolOfD4);
  const failure = refusal(409, 'VMExtensionProvisioningError', 'the command has exited with 50');
  using script = story.cluster.arm.faults.add({ operation: failing, effect: { kind: 'fail', refusal: failure } });
  story.create(aDeployment({ replicas: 1, cpu: '3' }));
  await story.until('four machines have come to nothing', () => story.reported('NodeClaim', 'AsyncProvisioningError').length === 4, {
    within: 60,
  });
  const [, second, third] = waitsOf(story);
  expect(second).toBeGreaterThanOrEqual(MINUTE);
  expect(third).toBeGreaterThanOrEqual(5 * MINUTE);
  const says = (): string => `${pauseOf(story)?.reason ?? ''}: ${pauseOf(story)?.message ?? ''}`;
  await story.until('the pool says so', () =>
    /^BootstrapScriptFailed: 4 launches in a row failed.*the command has exited with 50/s.test(says()),
  );
  await story.until('nothing is left of the last one', () => story.census().vms + story.census().disks === 0);
  script[Symbol.dispose]();
  await story.until('the pod runs', () => story.census().running === 1, { within: 30 });
  await settled(story, 1, 1);
  expect(pauseOf(story)).toBeUndefined();
});
