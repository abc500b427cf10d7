import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, type Pod, requirementsOf } from '@karpenter/core';
import { systemClock } from '@karpenter/runtime';
import { aNode, anInstanceType, aSnapshot } from '@karpenter/testkit';
import { aSource, podsOfDeployment } from '../testing/a-source.ts';
import { answerWhatIf } from './what-if.ts';
import { furtherPods } from './workloads.ts';

const [web = aNode().pods[0] as Pod] = podsOfDeployment('web', 1, 1000);

const aPodOf = (kind: string, name: string, more: Partial<Pod['spec']> = {}): Pod => ({
  metadata: {
    ...web.metadata,
    ...{ name: `${name}-0`, deletionTimestamp: '2026-11-20T12:00:00Z' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: name, controller: true }],
  },
  spec: { ...web.spec, ...more },
});

const onANode = (pod: Pod) => aSnapshot({ nodes: [aNode({ pods: [pod] })] });
const claim = (claimName: string) => ({ name: 'data', persistentVolumeClaim: { claimName } });

describe('further pods', () => {
  test('of a pod that is about to end › are not', () => {
    const [pod] = furtherPods(onANode(aPodOf('Job', 'report')), 'Job shop/report', 1) ?? [];
    expect(pod?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('of a StatefulSet › do not share the claims of the pod that they go by', () => {
    const pod = aPodOf('StatefulSet', 'db', { volumes: [claim('data-db-0'), claim('config')] });
    const [further] = furtherPods(onANode(pod), 'StatefulSet shop/db', 1) ?? [];
    expect(further?.spec.volumes).toEqual([claim('config')]);
  });

  test('of another workload › share its claims, as they would', () => {
    const pod = aPodOf('ReplicaSet', 'web', { volumes: [claim('data-web-0')] });
    const [further] = furtherPods(onANode(pod), 'ReplicaSet shop/web', 1) ?? [];
    expect(further?.spec.volumes).toEqual([claim('data-web-0')]);
  });
});

test('a what-if of more replicas › compares with other families of machines', async () => {
  const families = ['A', 'B'].map((family, index) => {
    const type = anInstanceType({ cpus: 4, name: `${family}4` });
    const own = requirementsOf([{ key: 'example.com/instance-family', operator: 'In', values: [family] }], defaultLabelCatalog);
    const offerings = type.offerings.map((offering) => ({ ...offering, pricePerHour: offering.pricePerHour + index }));
    return { ...type, offerings, requirements: new Map([...type.requirements, ...own]) };
  });
  const source = { ...aSource(), clock: systemClock };
  const cluster = aSnapshot({ instanceTypes: families, nodes: [aNode({ pods: podsOfDeployment('web', 3, 1000) })] });
  const question = { kind: 'replicas', workload: 'Deployment shop/web', more: 9 } as const;
  const answer = await answerWhatIf(question, { ...source, snapshot: () => cluster }, new AbortController().signal);
  expect(answer).toMatchObject({ answer: { alternatives: expect.arrayContaining([expect.objectContaining({ name: 'family B' })]) } });
});
