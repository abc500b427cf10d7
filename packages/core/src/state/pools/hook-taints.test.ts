import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { HookTaints } from './hook-taints.ts';

const MINUTE = 60_000;
const slow = { key: 'slow', effect: 'NoSchedule' } as const;
const noisy = { key: 'noisy', effect: 'NoExecute' } as const;

const startTaints = () => {
  const clock = fakeClock();
  const taints = new HookTaints(clock);
  return {
    taints,
    pass: (minutes: number) => clock.advance(minutes * MINUTE),
    refuse: (...refusing: readonly (typeof slow | typeof noisy)[]) => taints.opened('general', { added: [slow, noisy], refusing }),
  };
};

test('taints that keep pods away are expected for 5 minutes, then 15 each time', async () => {
  const { taints, pass, refuse } = startTaints();
  for (const minutes of [5, 15, 15]) {
    refuse(slow);
    await pass(minutes - 1);
    expect(taints.of('general')).toEqual([slow]);
    await pass(1);
    expect(taints.of('general')).toEqual([]);
  }
  expect(taints.of('other')).toEqual([]);
});

test('a node that was requested before the taint was known does not prolong it; another taint is expected as well', async () => {
  const { taints, pass, refuse } = startTaints();
  refuse(slow);
  await pass(4);
  refuse(slow);
  expect(taints.of('general')).toEqual([slow]);
  await pass(1);
  expect(taints.of('general')).toEqual([]);
  refuse(slow);
  refuse(slow, noisy);
  expect(taints.of('general')).toEqual([slow, noisy]);
});

test('a taint that keeps no pod away is not expected', () => {
  const { taints, refuse } = startTaints();
  refuse();
  expect(taints.of('general')).toEqual([]);
});

test('the expectation stays when a node for other pods has the taint, and ends with a node that lacks it', async () => {
  const { taints, pass, refuse } = startTaints();
  refuse(slow);
  taints.opened('general', { added: [slow], refusing: [] });
  expect(taints.of('general')).toEqual([slow]);
  taints.opened('general', { added: [noisy], refusing: [] });
  expect(taints.of('general')).toEqual([]);
  refuse(slow);
  await pass(5);
  expect(taints.of('general')).toEqual([]);
});

test('nothing is expected once the pool or its NodeClass was changed', () => {
  const { taints, refuse } = startTaints();
  refuse(slow);
  taints.forget('general');
  expect(taints.of('general')).toEqual([]);
});
