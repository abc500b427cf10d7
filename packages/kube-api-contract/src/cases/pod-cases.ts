import { describe, expect, test } from '@jest/globals';
import type { SuiteStage } from '../stage.ts';
import { type ApiAnswer, at } from '../kube-client.ts';

/** What is particular to pods: defaults, immutability, binding, eviction, grace. */
export const createPodCases = (stage: () => SuiteStage): void => {
  const path = (rest = ''): string => `/api/v1/namespaces/${stage().namespace}/pods${rest}`;
  const create = (name: string, spec: object = {}, labels: object = {}): Promise<ApiAnswer> =>
    stage().client.call(path(), {
      method: 'POST',
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'nginx', resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }],
          ...spec,
        },
      },
    });
  const bind = (name: string): Promise<ApiAnswer> =>
    stage().client.call(path(`/${name}/binding`), {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { apiVersion: 'v1', kind: 'Node', name: 'some-node' } },
    });
  const status = (name: string, body: object): Promise<ApiAnswer> =>
    stage().client.call(path(`/${name}/status`), {
      method: 'PATCH',
      contentType: 'application/strategic-merge-patch+json',
      body: { status: body },
    });
  const evict = (name: string): Promise<ApiAnswer> =>
    stage().client.call(path(`/${name}/eviction`), {
      method: 'POST',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: stage().namespace } },
    });
  const gone = (name: string): Promise<ApiAnswer> => stage().client.call(path(`/${name}?gracePeriodSeconds=0`), { method: 'DELETE' });

  test('a pod gets the defaults of the API and of admission', async () => {
    const { body } = await create('defaults');
    expect(at(body, 'spec')).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      serviceAccountName: 'default',
    });
    expect(at(body, 'spec.tolerations')).toEqual(
      ['not-ready', 'unreachable'].map((name) => ({
        key: `node.kubernetes.io/${name}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
    );
    expect(at(body, 'spec.containers.0')).toMatchObject({
      imagePullPolicy: 'Always',
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } },
    });
    expect(at(body, 'status')).toMatchObject({ phase: 'Pending', qosClass: 'Guaranteed' });
  });

  test.each([
    ['no containers', { containers: [] }, 'spec.containers', 'FieldValueRequired'],
    [
      'requests above limits',
      { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] },
      'spec.containers[0].resources.requests',
      'FieldValueInvalid',
    ],
    [
      'two containers of one name',
      {
        containers: [
          { name: 'c', image: 'i' },
          { name: 'c', image: 'i' },
        ],
      },
      'spec.containers[1].name',
      'FieldValueDuplicate',
    ],
    ['an unknown restart policy', { restartPolicy: 'Sometimes' }, 'spec.restartPolicy', 'FieldValueNotSupported'],
  ])('%s answers 422 with the field', async (...[, spec, field, reason]) => {
    const { status: code, body } = await create('wrong', spec);
    expect(code).toBe(422);
    expect(at(body, 'details.causes')).toEqual(expect.arrayContaining([expect.objectContaining({ field, reason })]));
  });

  test('an unknown priority class answers 403 Forbidden', async () => {
    const { status: code, body } = await create('important', { priorityClassName: 'nonsense' });
    expect([code, body['reason']]).toEqual([403, 'Forbidden']);
    expect(body['message']).toContain('no PriorityClass with name nonsense was found');
  });

  test('the spec of a pod is immutable, but for images and added tolerations', async () => {
    await create('fixed');
    const patch = (spec: object): Promise<ApiAnswer> =>
      stage().client.call(path('/fixed'), { method: 'PATCH', contentType: 'application/strategic-merge-patch+json', body: { spec } });
    const { status: code, body } = await patch({ nodeSelector: { a: 'b' } });
    expect(code).toBe(422);
    expect(body['message']).toContain('pod updates may not change fields other than');
    expect((await patch({ containers: [{ name: 'c', image: 'other' }] })).status).toBe(200);
  });

  test('a binding sets the node once and marks the pod scheduled', async () => {
    await create('bound');
    expect((await bind('bound')).status).toBe(201);
    const { body } = await stage().client.call(path('/bound'));
    expect(at(body, 'spec.nodeName')).toBe('some-node');
    expect(at(body, 'status.conditions')).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'PodScheduled', status: 'True' })]),
    );
    const again = await bind('bound');
    expect([again.status, again.body['reason']]).toEqual([409, 'Conflict']);
    await gone('bound');
  });

  test('a pod without a node is gone at once; one with a node waits for its grace period', async () => {
    await create('unbound');
    await stage().client.call(path('/unbound'), { method: 'DELETE' });
    expect((await stage().client.call(path('/unbound'))).status).toBe(404);
    await create('graceful');
    await bind('graceful');
    const { body } = await stage().client.call(path('/graceful'), { method: 'DELETE' });
    expect(at(body, 'metadata.deletionGracePeriodSeconds')).toBe(30);
    expect((await stage().client.call(path('/graceful'))).status).toBe(200);
    await gone('graceful');
    expect((await stage().client.call(path('/graceful'))).status).toBe(404);
  });

  test('an eviction deletes a pod that no budget covers', async () => {
    await create('evicted');
    expect((await evict('evicted')).status).toBe(201);
    expect((await stage().client.call(path('/evicted'))).status).toBe(404);
  });

  test('an eviction that a budget forbids answers 429 with the cause DisruptionBudget', async () => {
    await create('guarded', {}, { guard: 'yes' });
    await bind('guarded');
    await status('guarded', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    const budgets = `/apis/policy/v1/namespaces/${stage().namespace}/poddisruptionbudgets`;
    const spec = { minAvailable: 1, selector: { matchLabels: { guard: 'yes' } } };
    await stage().client.call(budgets, {
      method: 'POST',
      body: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'guard' }, spec },
    });
    const report = (disruptionsAllowed: number): Promise<ApiAnswer> =>
      stage().client.call(`${budgets}/guard/status`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { status: { observedGeneration: 1, disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 } },
      });
    await report(0);
    const refused = await evict('guarded');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget guard needs 1 healthy pods and has 1 currently' }],
      },
    });
    await report(1);
    expect((await evict('guarded')).status).toBe(201);
    expect(at((await stage().client.call(`${budgets}/guard`)).body, 'status.disruptionsAllowed')).toBe(0);
    await gone('guarded');
  });

  describe('the resize of a pod', () => {
    const resize = (name: string, resources: object): Promise<ApiAnswer> =>
      stage().client.call(path(`/${name}/resize`), {
        method: 'PATCH',
        contentType: 'application/strategic-merge-patch+json',
        body: { spec: { containers: [{ name: 'c', resources }] } },
      });
    const burstable = { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1', memory: '1Gi' } } }] };

    test('changes its cpu and memory, and counts its generation', async () => {
      await create('grows', burstable);
      const { status: code, body } = await resize('grows', { requests: { cpu: '1500m' } });
      expect([code, at(body, 'spec.containers.0.resources.requests'), at(body, 'metadata.generation')]).toEqual([
        200,
        { cpu: '1500m', memory: '1Gi' },
        2,
      ]);
    });

    test('that changes its quality of service is refused', async () => {
      await create('quality', burstable);
      const { status: code, body } = await resize('quality', { limits: { cpu: '1', memory: '1Gi' } });
      expect([code, at(body, 'details.causes')]).toEqual([
        422,
        [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
            field: 'spec',
          },
        ],
      ]);
    });

    test('changes nothing else of it', async () => {
      await create('same', burstable);
      const { status: code, body } = await resize('same', { requests: { 'ephemeral-storage': '1Gi' } });
      expect([code, at(body, 'details.causes.0')]).toMatchObject([
        422,
        { field: 'spec', message: 'Forbidden: only cpu and memory resources are mutable' },
      ]);
    });
  });
};
