import { describe, expect, test } from '@jest/globals';
import { KubeError, fakeClock } from '@karpenter/runtime';
import { nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import type { Pod } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { Decision } from '../ports/index.ts';
import { ObjectGuard } from '../state/index.ts';
import { PodNominations, nominationOf } from './pod-nominations.ts';

describe('pod nominations', () => {
  const { signal } = new AbortController();
  const up = { status: { conditions: [{ type: nodeClaimConditions.initialized, status: 'True' }] } } as unknown as NodeClaim;

  /** Two pods, `a` and `b`, that are nominated for the node `n`. */
  const aScene = () => {
    const kube = new FakeCluster();
    const clock = fakeClock();
    const reported: Decision[] = [];
    const { caches } = kube;
    const nominated = new Map<string, string>();
    const broken: string[] = [];
    const scene = { claim: {} as NodeClaim };
    const podNamed = (name: string): Pod | undefined => caches.pods.get({ namespace: 'default', name });
    for (const name of ['a', 'b']) {
      kube.seed('Pod', { metadata: { name, namespace: 'default', uid: name }, spec: { containers: [] } });
      nominated.set(name, 'n');
    }
    const nominations = new PodNominations({
      ...{ kube, caches, clock },
      reporter: { report: (decision) => void reported.push(decision) },
      state: {
        nominatedOn: (nodeName) => [...nominated].flatMap(([name, node]) => (node === nodeName ? (podNamed(name) ?? []) : [])),
        podWith: podNamed,
        isNominated: ({ metadata: { name } }, nodeName) => nominated.get(name) === nodeName,
        withdrawNomination: ({ metadata: { name } }) => void broken.push(name),
        claimOnNode: () => scene.claim,
        guard: new ObjectGuard({ reporter: { report: (decision) => void reported.push(decision) } }),
      },
    });
    const write = (name: string, nominatedNodeName: string | null): Promise<unknown> =>
      kube.patchStatus('Pod', { namespace: 'default', name }, { type: 'merge', body: { status: { nominatedNodeName } } });
    const nominatedFor = (): readonly (string | undefined)[] => ['a', 'b'].map((name) => podNamed(name)?.status?.nominatedNodeName);
    return { kube, clock, reported, nominations, nominated, broken, write, nominatedFor, podNamed, scene };
  };

  describe('announcing where pods were planned', () => {
    test('nominates each of them, once', async () => {
      const { nominations, nominatedFor, kube, reported } = aScene();
      await nominations.announce('n', signal);
      await nominations.announce('n', signal);
      expect(nominatedFor()).toEqual(['n', 'n']);
      expect(kube.writes).toHaveLength(2);
      expect(reported).toEqual([{ kind: 'pods-nominated', nodeName: 'n', pods: 2 }]);
    });

    test('when a pod triggers a bug › names it, and nominates the others', async () => {
      const { kube, nominations, nominatedFor, reported } = aScene();
      const broken = { metadata: { name: 'a', namespace: 'default', uid: 'a' }, spec: null };
      kube.kind('Pod').put(broken as never);
      await nominations.announce('n', signal);
      await nominations.renew(signal);
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual([undefined, 'n']);
      expect(reported).toContainEqual(expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ name: 'a' })] }));
    });

    test('nominates those again whose nomination kube-scheduler has cleared', async () => {
      const { nominations, nominatedFor, write } = aScene();
      await nominations.announce('n', signal);
      await write('b', null);
      await nominations.announce('n', signal);
      expect(nominatedFor()).toEqual(['n', 'n']);
    });

    test('is renewed for as long as state holds the nomination', async () => {
      const { nominations, nominatedFor, write, nominated } = aScene();
      await nominations.announce('n', signal);
      await write('a', null);
      await write('b', null);
      nominated.delete('b');
      await nominations.renew(signal);
      expect(nominatedFor()).toEqual(['n', undefined]);
    });

    test('leaves a pod alone that kube-scheduler has nominated for another node', async () => {
      const { nominations, nominatedFor, write } = aScene();
      await write('a', 'other');
      await nominations.announce('n', signal);
      expect(nominatedFor()).toEqual(['other', 'n']);
    });

    test('does not overrule a nomination that comes in between', async () => {
      const { nominations, nominatedFor, write, clock, kube } = aScene();
      const patchStatus = kube.patchStatus.bind(kube);
      let isFirst = true;
      kube.patchStatus = async (...call: Parameters<typeof patchStatus>) => {
        if (isFirst) {
          isFirst = false;
          await write('a', 'other');
        }
        return patchStatus(...call);
      };
      const announced = nominations.announce('n', signal);
      await clock.advance(1000);
      await announced;
      expect(nominatedFor()).toEqual(['other', 'n']);
    });

    test('tries again when something else about a pod has changed in between', async () => {
      const { nominations, nominatedFor, clock, kube } = aScene();
      const patchStatus = kube.patchStatus.bind(kube);
      let isFirst = true;
      kube.patchStatus = async (...call: Parameters<typeof patchStatus>) => {
        if (isFirst) {
          isFirst = false;
          await kube.patch('Pod', { namespace: 'default', name: 'a' }, { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } });
        }
        return patchStatus(...call);
      };
      const announced = nominations.announce('n', signal);
      await clock.advance(1000);
      await announced;
      expect(nominatedFor()).toEqual(['n', 'n']);
    });

    test('that may not be written is reported and does no harm', async () => {
      const { nominations, reported, kube } = aScene();
      kube.patchStatus = () => Promise.reject(new KubeError('pods/status is forbidden', { code: 'forbidden', cause: undefined }));
      await nominations.announce('n', signal);
      expect(reported.map(({ kind }) => kind)).toEqual(['nomination-failed', 'nomination-failed']);
    });
  });

  describe('a nomination that came to nothing', () => {
    test('is withdrawn when state has ended the nomination', async () => {
      const { nominations, nominatedFor, nominated } = aScene();
      await nominations.announce('n', signal);
      nominated.delete('a');
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual([undefined, 'n']);
    });

    test('is withdrawn although its pod triggered a bug meanwhile', async () => {
      const { kube, nominations, nominatedFor, nominated, podNamed } = aScene();
      await nominations.announce('n', signal);
      nominated.delete('a');
      const pod = podNamed('a');
      kube.kind('Pod').put({ ...pod, spec: null } as never);
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual(['n', 'n']);
      kube.kind('Pod').put(pod as never);
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual([undefined, 'n']);
    });

    test('is withdrawn by the next process too, if that one knew of the nomination', async () => {
      const { nominations, nominatedFor, nominated, write } = aScene();
      await write('a', 'n');
      await nominations.announce('n', signal);
      nominated.delete('a');
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual([undefined, 'n']);
    });

    test('is left alone when it is not its own', async () => {
      const { nominations, nominatedFor, nominated, write } = aScene();
      nominated.clear();
      await write('a', 'n');
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual(['n', undefined]);
    });

    test('is left alone when kube-scheduler has put another in its place', async () => {
      const { nominations, nominatedFor, nominated, write } = aScene();
      await nominations.announce('n', signal);
      nominated.clear();
      await write('a', 'other');
      await nominations.withdrawLapsed(signal);
      expect(nominatedFor()).toEqual(['other', undefined]);
    });

    test('ends the nomination in state at once when kube-scheduler has refused the pod on a node that is up', async () => {
      const { nominations, write, podNamed, broken, scene } = aScene();
      await nominations.announce('n', signal);
      scene.claim = up;
      await write('a', null);
      const pod = podNamed('a');
      if (pod !== undefined) nominations.refused(pod);
      expect(broken).toEqual(['a']);
    });

    test('ends no nomination in state while the node is still coming up', async () => {
      const { nominations, write, podNamed, broken, scene } = aScene();
      await nominations.announce('n', signal);
      scene.claim = {} as NodeClaim;
      await write('a', null);
      const pod = podNamed('a');
      if (pod !== undefined) nominations.refused(pod);
      expect(broken).toEqual([]);
    });
  });
});

describe('nomination of', () => {
  const waiting: Pod = { metadata: { name: 'web' }, spec: { containers: [] } };
  const withSpec = (spec: Partial<Pod['spec']>): Pod => ({ ...waiting, spec: { ...waiting.spec, ...spec } });

  test.each([
    ['a pod that waits', waiting, 'nominate'],
    ['one whose nomination was cleared', { ...waiting, status: { nominatedNodeName: '' } }, 'nominate'],
    ['one that says so already', { ...waiting, status: { nominatedNodeName: 'n' } }, 'nominated'],
    ['one for which kube-scheduler makes room elsewhere', { ...waiting, status: { nominatedNodeName: 'other' } }, 'leave'],
    ['one that has a node', withSpec({ nodeName: 'n' }), 'leave'],
    ['one that goes', { ...waiting, metadata: { name: 'web', deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'leave'],
    ['one that has ended', { ...waiting, status: { phase: 'Failed' as const } }, 'leave'],
    ['one that a gate holds', withSpec({ schedulingGates: [{ name: 'quota' }] }), 'leave'],
    ['one of kube-scheduler by name', withSpec({ schedulerName: 'default-scheduler' }), 'nominate'],
    ['one of another scheduler', withSpec({ schedulerName: 'batch-scheduler' }), 'leave'],
  ])('%s', (_, pod, expected) => expect(nominationOf(pod, 'n')).toBe(expected));
});
