import { expect, test } from '@jest/globals';
import { podGroupOf } from './pod-group.ts';

const LABEL = 'scheduling.x-k8s.io/pod-group';
const SIZE = 'karpenter.sh/pod-group-min-member';

test.each<[string, Record<string, string>, Record<string, string>, ReturnType<typeof podGroupOf>]>([
  ['label and annotation', { [LABEL]: 'train' }, { [SIZE]: '4' }, { name: 'ml/train', minMember: 4 }],
  ['no annotation: the size is not known here', { [LABEL]: 'train' }, {}, undefined],
  ['no label', {}, { [SIZE]: '4' }, undefined],
  ['an empty name', { [LABEL]: '' }, { [SIZE]: '4' }, undefined],
  ['a size that is no number is never reached', { [LABEL]: 'train' }, { [SIZE]: 'four' }, { name: 'ml/train', minMember: Infinity }],
  ['a size of zero is never reached', { [LABEL]: 'train' }, { [SIZE]: '0' }, { name: 'ml/train', minMember: Infinity }],
])('%s', (...row) => {
  const [, labels, annotations, expected] = row;
  expect(podGroupOf({ metadata: { name: 'p', namespace: 'ml', labels, annotations }, spec: { containers: [] } })).toEqual(expected);
});
