import { expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { aPod } from '../../testing/objects.ts';
import { podGroupOf, podGroupTable } from './pod-group.ts';

const LABEL = 'scheduling.x-k8s.io/pod-group';
const SIZE = 'karpenter.sh/pod-group-min-member';

const groupedPod = (labels: Record<string, string>, annotations: Record<string, string>, phase?: 'Failed' | 'Succeeded'): Pod =>
  aPod('p', { metadata: { namespace: 'ml', labels, annotations }, ...(phase && { status: { phase } }) });

test.each<[string, Record<string, string>, Record<string, string>, ReturnType<typeof podGroupOf>]>([
  ['label and annotation', { [LABEL]: 'train' }, { [SIZE]: '4' }, { name: 'ml/train', minMember: 4 }],
  ['no annotation: the size is not known here', { [LABEL]: 'train' }, {}, undefined],
  ['no label', {}, { [SIZE]: '4' }, undefined],
  ['an empty name', { [LABEL]: '' }, { [SIZE]: '4' }, undefined],
  ['a size that is no number is never reached', { [LABEL]: 'train' }, { [SIZE]: 'four' }, { name: 'ml/train', minMember: Infinity }],
  ['a size of zero is never reached', { [LABEL]: 'train' }, { [SIZE]: '0' }, { name: 'ml/train', minMember: Infinity }],
])('%s', (...row) => {
  const [, labels, annotations, expected] = row;
  expect(podGroupOf(groupedPod(labels, annotations))).toEqual(expected);
});

const named = (namespace: string, minMember?: number) => ({
  metadata: { name: 'train', namespace },
  spec: minMember === undefined ? {} : { minMember },
});

test.each([
  ['states the size, also against the annotation', [named('ml', 3)], { [SIZE]: '4' }, 3],
  ['of another namespace says nothing', [named('web', 3)], { [SIZE]: '4' }, 4],
  ['without minMember states no size', [named('ml')], {}, undefined],
  ['of a pod without the annotation states the size', [named('ml', 2)], {}, 2],
])('a PodGroup %s', (...row) => {
  const [, objects, annotations, expected] = row;
  expect(podGroupOf(groupedPod({ [LABEL]: 'train' }, annotations), podGroupTable(objects, []))?.minMember).toBe(expected);
});

test('members that have succeeded are counted by group, beside the size', () => {
  const ended = groupedPod({ [LABEL]: 'train' }, {}, 'Succeeded');
  const other = groupedPod({ [LABEL]: 'other' }, {}, 'Succeeded');
  expect(podGroupTable([named('ml', 3)], [ended, ended, other])).toEqual(
    new Map([
      ['ml/train', { minMember: 3, succeeded: 2 }],
      ['ml/other', { succeeded: 1 }],
    ]),
  );
});
