import { expect, test } from '@jest/globals';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { describeWithHelm } from './helm.ts';
import { neededValues, oneOfKind, renderChart } from './rendered.ts';

interface Deployment extends ApiObject {
  readonly spec: {
    readonly strategy: object;
    readonly template: { readonly spec: Readonly<Record<string, unknown>> };
  };
}

const deployments: KindRef<Deployment> = { kind: 'Deployment' };
const specWith = (values: object): Deployment['spec'] => oneOfKind(renderChart({ ...neededValues, ...values }), deployments).spec;
const podWith = (values: object): Readonly<Record<string, unknown>> => specWith(values).template.spec;

describeWithHelm('values of the pod', () => {
  test('that are not set leave DNS, network and scheduler to the cluster', () => {
    for (const field of ['hostNetwork', 'dnsPolicy', 'dnsConfig', 'schedulerName', 'initContainers'])
      expect(podWith({})).not.toHaveProperty(field);
  });

  test('hostNetwork: names of Services are resolved all the same, unless a policy is said', () => {
    expect(podWith({ hostNetwork: true })).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
    expect(podWith({ hostNetwork: true, dnsPolicy: 'Default' })).toMatchObject({ dnsPolicy: 'Default' });
  });

  test('security contexts: a field that is said replaces the chart’s, the others stay', () => {
    const pod = podWith({ podSecurityContext: { runAsUser: 1000 }, securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } });
    expect(pod['securityContext']).toMatchObject({ runAsUser: 1000, runAsNonRoot: true, fsGroup: 65_532 });
    expect(pod['containers']).toMatchObject([
      { securityContext: { readOnlyRootFilesystem: true, appArmorProfile: { type: 'RuntimeDefault' } } },
    ]);
  });

  test('containers before and beside it do not change the controller', () => {
    const [before, beside] = [
      { name: 'before', image: 'example.com/before:1' },
      { name: 'beside', image: 'example.com/beside:1' },
    ];
    const [own] = podWith({})['containers'] as readonly object[];
    const pod = podWith({ initContainers: [before], sidecarContainers: [beside] });
    expect(pod).toMatchObject({ initContainers: [before], containers: [own, beside] });
  });

  test('a strategy that is set is used unchanged', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } };
    expect(specWith({ strategy }).strategy).toEqual(strategy);
  });

  test('revisionHistoryLimit 0 keeps no old ReplicaSet', () => {
    expect(specWith({ revisionHistoryLimit: 0 })).toMatchObject({ revisionHistoryLimit: 0 });
  });
});

interface Role extends ApiObject {
  readonly rules: readonly Readonly<Record<'resources' | 'verbs', readonly string[]>>[];
}

describeWithHelm('roles that join those of the cluster', () => {
  const rolesWith = (values: object): readonly Role[] =>
    renderChart({ ...neededValues, ...values })
      .filter((object): object is Role => object.kind === 'ClusterRole')
      .filter(({ metadata }) => Object.keys(metadata.labels ?? {}).some((key) => key.includes('/aggregate-to-')));
  const whoMay = (verb: string, resource: string): readonly string[] =>
    rolesWith({})
      .filter(({ rules }) => rules.some(({ resources, verbs }) => resources.includes(resource) && verbs.includes(verb)))
      .map(({ metadata }) => metadata.name?.split('-').at(-1) ?? '');

  test.each(['nodepools', 'nodeclaims', 'nodeoverlays', 'rebalanceplans', 'aksnodeclasses'])(
    'admin writes %s, all three read them',
    (resource) => {
      expect(whoMay('delete', resource)).toEqual(['admin']);
      expect(whoMay('list', resource)).toEqual(['admin', 'edit', 'view']);
    },
  );

  test('who may make pods in a namespace may make CapacityBuffers there', () => {
    expect(whoMay('create', 'capacitybuffers')).toEqual(['admin', 'edit']);
    expect(whoMay('watch', 'capacitybuffers')).toEqual(['admin', 'edit', 'view']);
  });

  test('are not there when they are switched off, and speak of no kind of a provider that is not used', () => {
    expect(rolesWith({ aggregatedRoles: { enabled: false } })).toEqual([]);
    const foreign = rolesWith({ settings: { cloudProvider: 'karpenter-provider-acme' }, extraRules: [{}] });
    expect(JSON.stringify(foreign)).not.toContain('aksnodeclasses');
  });
});

describeWithHelm('labels and annotations for every object', () => {
  test('are on each, beside its own', () => {
    const objects = renderChart({
      ...neededValues,
      additionalLabels: { owner: 'platform' },
      additionalAnnotations: { 'example.com/cost-center': '42' },
      workloadIdentity: { clientId: '99999999-8888-7777-6666-555555555555' },
    });
    for (const { metadata } of objects) {
      expect(metadata.labels).toMatchObject({ owner: 'platform', 'app.kubernetes.io/name': 'karpenter' });
      expect(metadata.annotations).toMatchObject({ 'example.com/cost-center': '42' });
    }
    expect(oneOfKind(objects, { kind: 'ServiceAccount' }).metadata.annotations).toHaveProperty(['azure.workload.identity/client-id']);
  });
});
