import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { fakeClock } from '@karpenter/runtime';
import { parse } from 'yaml';
import { applyAll } from './apply.ts';
import { everythingOn } from './everything-on.ts';
import { charts, describeWithHelm, helm } from './helm.ts';
import { neededValues, oneOfKind, renderChart } from './rendered.ts';
import { SERVICE_MONITOR_KINDS } from './kinds-of-others.ts';

jest.setTimeout(60_000);

const clusterFor = async (crds: readonly string[]): Promise<EmbeddedCluster> => {
  const cluster = await startEmbeddedCluster({ clock: fakeClock(), azure: false, systemPool: false, crds });
  cluster.create('{apiVersion: v1, kind: Namespace, metadata: {name: karpenter}}');
  return cluster;
};

describeWithHelm('the charts', () => {
  test.each([
    ['of the controller', charts.controller, neededValues],
    ['of the controller with everything on', charts.controller, everythingOn],
    ['of the CRDs', charts.crds, {}],
  ])('%s pass the linter', (_which, chart, values) => {
    const { code, stdout, stderr } = helm('lint', chart, values);
    expect(`${stdout}${stderr}`).not.toMatch(/\[(ERROR|WARNING)\]/);
    expect(code).toBe(0);
  });

  test.each([
    ['with the least values', neededValues],
    ['with everything on', everythingOn],
  ])('make objects that an API server takes %s, and takes again unchanged', async (_how, values) => {
    await using cluster = await clusterFor([SERVICE_MONITOR_KINDS]);
    const objects = [...renderChart({}, charts.crds), ...renderChart(values)];
    await applyAll(cluster, objects);
    const versions = (): readonly unknown[] =>
      objects.map(({ apiVersion, kind, metadata: { name = '', namespace } }) => {
        const key = namespace === undefined ? { name } : { name, namespace };
        return cluster.local.get({ kind, apiVersion }, key)?.metadata.resourceVersion;
      });
    const before = versions();
    expect(before).not.toContain(undefined);
    await applyAll(cluster, objects);
    expect(versions()).toEqual(before);
  });

  test('leave the CRDs, and all NodePools with them, where they are when their release goes', () => {
    const kept = renderChart({}, charts.crds).map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy']);
    expect(kept).toEqual(['keep', 'keep', 'keep', 'keep', 'keep', 'keep']);
  });

  test('the version of both charts is one', () => {
    const versionOf = (chart: string): unknown => (parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as { version: unknown }).version;
    expect(versionOf(charts.crds)).toBe(versionOf(charts.controller));
  });

  test('name every image and account of a release apart from those of another', () => {
    const names = (fullnameOverride: string): readonly unknown[] =>
      renderChart({ ...everythingOn, fullnameOverride, serviceAccount: { name: fullnameOverride } })
        .filter(({ kind }) => kind !== 'CustomResourceDefinition')
        .map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace ?? ''}/${name ?? ''}`);
    const ours = new Set(names('one'));
    expect(names('two').filter((name) => ours.has(name))).toEqual([]);
  });
});

interface Deployment extends ApiObject {
  readonly spec: {
    readonly replicas: number;
    readonly strategy: object;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly priorityClassName: string;
        readonly securityContext: object;
        readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
        readonly containers: readonly { readonly securityContext: object }[];
      };
    };
  };
}

const deployments: KindRef<Deployment> = { kind: 'Deployment' };
const budgets: KindRef<ApiObject & { readonly spec: object }> = { kind: 'PodDisruptionBudget' };

describeWithHelm('by default', () => {
  const objects = (): readonly ApiObject[] => renderChart();

  test('two replicas run apart, without privileges, and one of them stays', () => {
    const { spec } = oneOfKind(objects(), deployments);
    const pod = spec.template.spec;
    expect(spec.replicas).toBe(2);
    expect(pod.priorityClassName).toBe('system-cluster-critical');
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers.map(({ securityContext }) => securityContext)).toEqual([
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    ]);
    expect(pod.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    expect(oneOfKind(objects(), budgets).spec).toMatchObject({ maxUnavailable: 1 });
  });

  test('no role speaks of secrets, and none of everything', () => {
    const roles = objects().filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
    expect(roles.length).toBeGreaterThan(1);
    expect(JSON.stringify(roles)).not.toMatch(/secrets|configmaps|"\*"/);
  });

  test('nothing opens the inspector', () => expect(JSON.stringify(objects())).not.toContain('--inspect'));

  test('what is optional is off', () => {
    const kinds = new Set(objects().map(({ kind }) => kind));
    for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap', 'NetworkPolicy', 'ValidatingAdmissionPolicy']) {
      expect(kinds).not.toContain(kind);
    }
  });
});

describeWithHelm('one replica that does not ask who leads', () => {
  const alone = { ...neededValues, replicas: 1, settings: { disableLeaderElection: true } };

  test('goes before another comes: no two act side by side', () => {
    expect(oneOfKind(renderChart(alone), deployments).spec.strategy).toEqual({ type: 'Recreate' });
  });

  test('may take the place of those that did ask, and the other way round', async () => {
    await using cluster = await clusterFor([]);
    const strategy = async (values: object): Promise<object | undefined> => {
      await applyAll(cluster, renderChart(values));
      return cluster.local.get(deployments, { name: 'karpenter', namespace: 'karpenter' })?.spec.strategy;
    };
    const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
    expect(await strategy(neededValues)).toEqual(rolling);
    expect(await strategy(alone)).toEqual({ type: 'Recreate' });
    expect(await strategy(neededValues)).toEqual(rolling);
  });
});

describeWithHelm('workload identity', () => {
  test('is said to the account and to the pods', () => {
    const clientId = '99999999-8888-7777-6666-555555555555';
    const objects = renderChart({ ...neededValues, workloadIdentity: { clientId } });
    expect(oneOfKind(objects, { kind: 'ServiceAccount' }).metadata.annotations).toEqual({ 'azure.workload.identity/client-id': clientId });
    expect(oneOfKind(objects, deployments).spec.template.metadata.labels).toMatchObject({
      'azure.workload.identity/use': 'true',
    });
  });
});

describeWithHelm('labels and annotations that the chart writes', () => {
  const labels = { 'app.kubernetes.io/version': 'mine' };
  const objects = (): readonly ApiObject[] =>
    renderChart({
      ...everythingOn,
      serviceAccount: { annotations: { 'azure.workload.identity/client-id': 'mine' } },
      podLabels: { 'azure.workload.identity/use': 'false' },
      podAnnotations: { 'checksum/bootstrap-token': 'mine' },
      metrics: { serviceMonitor: { enabled: true, labels }, alerts: { enabled: true, labels }, dashboard: { enabled: true, labels } },
    });

  test('are written once where the user names them too, as the user says', () => {
    expect(oneOfKind(objects(), { kind: 'ServiceAccount' }).metadata.annotations).toMatchObject({
      'azure.workload.identity/client-id': 'mine',
      'azure.workload.identity/tenant-id': everythingOn.workloadIdentity.tenantId,
    });
    expect(oneOfKind(objects(), deployments).spec.template.metadata).toMatchObject({
      labels: { 'app.kubernetes.io/name': 'karpenter', 'azure.workload.identity/use': 'false' },
      annotations: { 'checksum/bootstrap-token': 'mine' },
    });
  });

  test.each(['ServiceMonitor', 'PrometheusRule', 'ConfigMap'])('of a %s as well', (kind) => {
    expect(oneOfKind(objects(), { kind }).metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'karpenter', ...labels });
  });
});

interface PrometheusRule extends ApiObject {
  readonly spec: {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }[];
    }[];
  };
}

describeWithHelm('the alerts', () => {
  const annotationsWith = (alerts: object): readonly (readonly [string, string | undefined])[] =>
    oneOfKind<PrometheusRule>(renderChart({ ...neededValues, metrics: { alerts: { enabled: true, ...alerts } } }), {
      kind: 'PrometheusRule',
    })
      .spec.groups.flatMap(({ rules }) => rules)
      .map(({ alert, annotations }) => [alert, annotations['runbook_url']]);

  test('link to their sections of the page on troubleshooting where its address is known', () => {
    const page = 'https://docs.example.com/troubleshooting';
    const links = annotationsWith({ runbookUrl: page });
    expect(links.length).toBeGreaterThan(10);
    expect(links).toEqual(links.map(([alert]) => [alert, `${page}#${alert.toLowerCase()}`]));
  });

  test('have no link otherwise', () => {
    expect(annotationsWith({}).filter(([, url]) => url !== undefined)).toEqual([]);
  });
});

interface Policy extends ApiObject {
  readonly spec: {
    readonly ingress: readonly { readonly ports: readonly { readonly port: string | number }[] }[];
    readonly egress: readonly { readonly to?: readonly object[] }[];
  };
}

describeWithHelm('the network policy', () => {
  const policyWith = (networkPolicy: object): Policy['spec'] =>
    oneOfKind<Policy>(renderChart({ ...neededValues, networkPolicy: { enabled: true, ...networkPolicy } }), { kind: 'NetworkPolicy' }).spec;
  const reached = (networkPolicy: object): unknown => policyWith(networkPolicy).egress.flatMap(({ to = [] }) => to);

  test('lets in what asks for probes and metrics, and nothing else: neither the inspector nor a dashboard', () => {
    expect(policyWith({}).ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(['metrics', 'health']);
  });

  test('lets the controller call everybody, by IPv4 and IPv6', () => {
    expect(reached({})).toEqual([{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }]);
  });

  test('lets it call the ranges that are named, and no other', () => {
    const egressCidrs = ['10.0.0.0/8', 'fd00:10::/64', '169.254.169.254/32'];
    expect(reached({ egressCidrs })).toEqual(egressCidrs.map((cidr) => ({ ipBlock: { cidr } })));
  });
});

describeWithHelm('the heap', () => {
  const refusal = (memory: string | number | null, heapMib = 768): string =>
    helm('template', charts.controller, { ...neededValues, heapMib, resources: { limits: { memory } } }).stderr;

  test.each(['1Gi', '896Mi', 939_524_096, '0.9G', '1e9', '2000M', null])('fits a limit of %s, or none', (memory) =>
    expect(refusal(memory, 700)).toBe(''),
  );

  test.each(['895Mi', '512Mi', '0.5Gi', 939_524_095, '939524k'])(
    'of 768 MiB does not fit a limit of %s, and one line says so',
    (memory) => {
      expect(refusal(memory)).toMatch(/heapMib 768 does not fit resources\.limits\.memory .*, which must be 128 MiB more/);
    },
  );

  test('fits no limit that is no quantity', () => expect(refusal('lots')).toMatch(/resources[./]limits[./]memory/));
});

describeWithHelm('the notes', () => {
  const notesFor = (values: object): string =>
    helm('notes', charts.controller, { ...neededValues, ...values })
      .stdout.split('NOTES:')
      .at(-1) ?? '';
  const workloadIdentity = { clientId: '99999999-8888-7777-6666-555555555555' };

  test('say what a service account lacks that is not of the chart', () => {
    expect(notesFor({ workloadIdentity, serviceAccount: { create: false, name: 'mine' } })).toContain(
      `annotate serviceaccount mine azure.workload.identity/client-id=${workloadIdentity.clientId}`,
    );
    expect(notesFor({ workloadIdentity })).not.toContain('annotate serviceaccount');
  });

  test('say that nothing runs where no replica does', () => {
    expect(notesFor({ replicas: 0 })).toMatch(/nothing of it runs: replicas is 0\. No node is created or deleted until it is 1/);
    expect(notesFor({})).toContain('karpenter runs in karpenter. It makes nodes as soon as');
  });

  test('name only what there is', () => {
    const foreign = { settings: { cloudProvider: 'karpenter-provider-acme', disableLeaderElection: true }, extraRules: [{}], replicas: 1 };
    expect(notesFor(foreign)).not.toMatch(/aksnodeclass|lease/i);
    expect(notesFor({})).toMatch(/get aksnodeclasses,nodepools,nodeclaims[^]*get lease karpenter-leader-election/);
  });
});
