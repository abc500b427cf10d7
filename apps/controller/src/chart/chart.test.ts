import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { parseAzureOptions } from '@karpenter/azure';
import { type EmbeddedCluster, type KindRef, type KubeObject, startEmbeddedCluster } from '@karpenter/simulator';
import { fakeClock } from '@karpenter/runtime';
import { parse } from 'yaml';
import { applyAll } from './apply.ts';
import { everythingOn } from './everything-on.ts';
import { charts, describeWithHelm, helm } from './helm.ts';
import { neededValues, oneOfKind, rendered } from './rendered.ts';
import { SERVICE_MONITOR_KINDS } from './service-monitor-kinds.ts';
import { variableOf } from './variable-of.ts';

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
    const objects = [...rendered({}, charts.crds), ...rendered(values)];
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
    const kept = rendered({}, charts.crds).map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy']);
    expect(kept).toEqual(['keep', 'keep', 'keep', 'keep']);
  });

  test('name every image and account of a release apart from those of another', () => {
    const names = (fullnameOverride: string): readonly unknown[] =>
      rendered({ ...everythingOn, fullnameOverride, serviceAccount: { name: fullnameOverride } })
        .filter(({ kind }) => kind !== 'CustomResourceDefinition')
        .map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace ?? ''}/${name ?? ''}`);
    const ours = new Set(names('one'));
    expect(names('two').filter((name) => ours.has(name))).toEqual([]);
  });
});

interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas: number;
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
const budgets: KindRef<KubeObject & { readonly spec: object }> = { kind: 'PodDisruptionBudget' };

describeWithHelm('by default', () => {
  const objects = (): readonly KubeObject[] => rendered();

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

  test('what is optional is off', () => {
    const kinds = new Set(objects().map(({ kind }) => kind));
    for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap', 'NetworkPolicy', 'ValidatingAdmissionPolicy']) {
      expect(kinds).not.toContain(kind);
    }
  });
});

describeWithHelm('workload identity', () => {
  test('is said to the account and to the pods', () => {
    const clientId = '99999999-8888-7777-6666-555555555555';
    const objects = rendered({ ...neededValues, workloadIdentity: { clientId } });
    expect(oneOfKind(objects, { kind: 'ServiceAccount' }).metadata.annotations).toEqual({ 'azure.workload.identity/client-id': clientId });
    expect(oneOfKind(objects, deployments).spec.template.metadata.labels).toMatchObject({
      'azure.workload.identity/use': 'true',
    });
  });
});

interface Policy extends KubeObject {
  readonly spec: { readonly egress: readonly { readonly to?: readonly object[] }[] };
}

describeWithHelm('the network policy', () => {
  const reached = (networkPolicy: object): unknown =>
    oneOfKind<Policy>(rendered({ ...neededValues, networkPolicy: { enabled: true, ...networkPolicy } }), {
      kind: 'NetworkPolicy',
    }).spec.egress.flatMap(({ to = [] }) => to);

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

  test('fits no limit that is none', () => expect(refusal('lots')).toMatch(/resources[./]limits[./]memory/));
});

describeWithHelm('the notes', () => {
  const notesFor = (values: object): string => helm('notes', charts.controller, { ...neededValues, ...values }).stdout;
  const workloadIdentity = { clientId: '99999999-8888-7777-6666-555555555555' };

  test('say what a service account lacks that is not of the chart', () => {
    expect(notesFor({ workloadIdentity, serviceAccount: { create: false, name: 'mine' } })).toContain(
      `annotate serviceaccount mine azure.workload.identity/client-id=${workloadIdentity.clientId}`,
    );
    expect(notesFor({ workloadIdentity })).not.toContain('annotate serviceaccount');
  });
});

/** What the provider would refuse at its start. */
const wrongOfAzure: readonly (readonly [value: string, wrong: string])[] = [
  ['additionalTags', 'team'],
  ['aksMachinesPoolName', 'Machines'],
  ['armCloud', 'TheirCloud'],
  ['armTenantId', 'ours'],
  ['capacityReservationGroups', 'reserved'],
  ['committedPrices', 'cheap'],
  ['dnsServiceIp', '999.1.1.1'],
  ['kubeletIdentityClientId', 'kubelet'],
  ['linuxAdminUsername', '9lives'],
  ['nodeIdentities', 'kubelet'],
  ['nodeOsdiskDiskencryptionsetId', 'keys'],
  ['nodebootstrappingServerUrl', 'bootstrap.internal'],
  ['providerBatchIdleDuration', '5'],
  ['providerBatchMaxDuration', 'long'],
  ['retailPricesUrl', 'prices'],
  ['sigAccessTokenServerUrl', 'tokens'],
  ['sigSubscriptionId', 'aks'],
  ['spotMaxPrice', '0'],
  ['vnetGuid', 'vnet'],
];

/** Nothing wrong with these; each tries what a pattern could have left out. */
const rightOfAzure = {
  additionalTags: 'team=a, Cost Centre=1=2,empty=',
  aksMachinesPoolName: 'machines1',
  armCloud: 'AzureChinaCloud',
  armTenantId: 'AAAAAAAA-2222-3333-4444-555555555555',
  capacityReservationGroups:
    '/subscriptions/11111111-2222-3333-4444-555555555555/resourcegroups/rg/providers/microsoft.compute/capacityReservationGroups/a, /subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.Compute/capacityReservationGroups/b',
  committedPrices: 'Standard_D4s_v5=0.11, Ds_v5=-37.5%,*=-10%',
  dnsServiceIp: 'fd00:10::a',
  linuxAdminUsername: 'ops-team_1',
  nodeIdentities:
    '/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/a,/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/b',
  nodeOsdiskDiskencryptionsetId: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/diskEncryptionSets/keys',
  nodebootstrappingServerUrl: 'https://bootstrap.internal:8443/v1',
  providerBatchIdleDuration: '1m1.5s',
  retailPricesUrl: 'https://prices.azure.com/api/retail/prices',
  spotMaxPrice: '0.00125',
};

/** What machines of an agent pool need beside. */
const ofAgentPool = {
  useSig: true,
  sigSubscriptionId: '11111111-2222-3333-4444-555555555555',
  armResourceGroup: 'rg',
  aksMachinesPoolName: 'machines',
};

const problemsOf = (azure: Readonly<Record<string, unknown>>): readonly string[] => {
  const entries = Object.entries(azure).map(([key, value]): readonly [string, string] => [variableOf(key), String(value)]);
  const env = { KUBELET_BOOTSTRAP_TOKEN: 't', ...Object.fromEntries(entries) };
  const parsed = parseAzureOptions({ env, flags: {} });
  return parsed.ok ? [] : parsed.problems;
};

describeWithHelm('values that are wrong', () => {
  test('are those that the provider refuses, and no others', () => {
    for (const [value, wrong] of wrongOfAzure) {
      expect(problemsOf({ ...neededValues.azure, [value]: wrong })).toEqual([expect.stringContaining(variableOf(value))]);
    }
    const azure = { ...neededValues.azure, ...rightOfAzure };
    expect(problemsOf(azure)).toEqual([]);
    expect(helm('template', charts.controller, { ...neededValues, azure }).stderr).toBe('');
  });

  test('all that is missing is asked for in one message', () => {
    const { code, stderr } = helm('template', charts.controller);
    expect(code).not.toBe(0);
    for (const path of Object.keys(neededValues.azure)) expect(stderr).toContain(`azure.${path}`);
    expect(stderr).toContain('kubeletBootstrapToken.existingSecret');
    expect(stderr).toContain('scripts/configure-values');
  });

  test.each([
    ['a value that nobody knows', { settings: { batchIdleDuraton: '1s' } }, /settings.*batchIdleDuraton/s],
    ['a word that is none of the choices', { settings: { logLevel: 'loud' } }, /settings[./]logLevel.*'debug', 'info', 'warn'/s],
    ['a gate that does not exist', { settings: { featureGates: { nodeRepare: true } } }, /featureGates.*nodeRepare/s],
    ['a text for a number', { settings: { metricsPort: 'http' } }, /settings[./]metricsPort.*integer/s],
    ['a port that is none', { settings: { healthProbePort: 70_000 } }, /settings[./]healthProbePort.*65,?535/s],
    ['a duration without a unit', { settings: { batchMaxDuration: '10' } }, /settings[./]batchMaxDuration/],
    [
      'a subscription that is no id',
      { azure: { ...neededValues.azure, azureSubscriptionId: 'production' } },
      /azure[./]azureSubscriptionId/,
    ],
    ['a token that is none', { kubeletBootstrapToken: { value: 'secret' } }, /kubeletBootstrapToken[./]value/],
    ['a range that is none', { networkPolicy: { egressCidrs: ['10.0.0.0/33'] } }, /networkPolicy[./]egressCidrs[./]0/],
    ['a range of IPv6 that is none', { networkPolicy: { egressCidrs: ['fd00::/129'] } }, /networkPolicy[./]egressCidrs[./]0/],
    ['no range at all', { networkPolicy: { egressCidrs: [] } }, /networkPolicy[./]egressCidrs/],
    ['a subnet that is no ARM id', { azure: { ...neededValues.azure, vnetSubnetId: 'nodes' } }, /azure[./]vnetSubnetId/],
    ...wrongOfAzure.map(([value, wrong]): readonly [string, object, RegExp] => [
      `azure.${value} ${wrong}`,
      { azure: { ...neededValues.azure, [value]: wrong } },
      new RegExp(`azure[./]${value}`),
    ]),
  ])('%s is refused where it stands', (_what, values, says) => {
    const { code, stderr } = helm('template', charts.controller, { ...neededValues, ...values });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(says);
  });

  test.each<[string, object, RegExp]>([
    [
      'several replicas that do not ask who leads',
      { settings: { disableLeaderElection: true } },
      /settings\.disableLeaderElection with more than one replica/,
    ],
    [
      'pods that are waited for longer than a batch may take',
      { settings: { batchIdleDuration: '1m' } },
      /settings\.batchIdleDuration 1m is longer than settings\.batchMaxDuration 10s/,
    ],
    [
      'machines that are waited for longer than a batch may take',
      { azure: { ...ofAgentPool, provisionMode: 'aksmachineapiheaderbatch', providerBatchIdleDuration: '5001ms' } },
      /azure\.providerBatchIdleDuration 5001ms is longer than azure\.providerBatchMaxDuration 5s/,
    ],
    [
      'a price for spot with machines that take none',
      { azure: { ...ofAgentPool, provisionMode: 'aksmachineapi', spotMaxPrice: '0.5' } },
      /azure\.spotMaxPrice with azure\.provisionMode aksmachineapi, whose machines take none/,
    ],
    [
      'reservations with machines that are made out of none',
      { azure: { ...ofAgentPool, provisionMode: 'aksmachineapi', capacityReservationGroups: rightOfAzure.capacityReservationGroups } },
      /azure\.capacityReservationGroups with azure\.provisionMode aksmachineapi, whose machines are made out of none/,
    ],
    [
      'machines from before of a pool that is not named',
      { azure: { manageExistingAksMachines: true } },
      /missing: azure\.armResourceGroup, azure\.aksMachinesPoolName;/,
    ],
    ['one port for two servers', { settings: { metricsPort: 8081 } }, /metricsPort and settings\.healthProbePort are both 8081/],
    [
      'a network plugin without modes, with one',
      { azure: { networkPlugin: 'none' } },
      /networkPlugin none has no azure\.networkPluginMode/,
    ],
    ['two clouds', { azure: { armCloud: 'AzureChinaCloud', azureEnvironmentFilepath: '/cloud.json' } }, /both name a cloud/],
    [
      'two tokens',
      { kubeletBootstrapToken: { existingSecret: 'joining', value: 'abcdef.0123456789abcdef' } },
      /kubeletBootstrapToken names an existingSecret and a value/,
    ],
    [
      'an environment variable that a value sets',
      {
        extraEnv: [
          { name: 'LOG_LEVEL', value: 'debug' },
          { name: 'VNET_GUID', value: 'x' },
        ],
      },
      /contradict each other: extraEnv names LOG_LEVEL, which has a value of the chart\n/,
    ],
    ['labels by which pods are found', { podLabels: { 'app.kubernetes.io/name': 'x' } }, /podLabels names app\.kubernetes\.io\/name/],
    ['galleries that are half named', { azure: { useSig: true } }, /missing: azure\.sigSubscriptionId, azure\.sigAccessTokenServerUrl;/],
    [
      'a service that is not named',
      { azure: { provisionMode: 'bootstrappingclient' } },
      /missing: azure\.armResourceGroup, azure\.nodebootstrappingServerUrl;/,
    ],
    [
      'an agent pool that is not named',
      { azure: { provisionMode: 'aksmachineapi' } },
      /missing: azure\.armResourceGroup, azure\.aksMachinesPoolName, azure\.useSig;/,
    ],
    [
      'an agent pool that is not named, where its machines are asked for together',
      { azure: { provisionMode: 'aksmachineapiheaderbatch', useSig: true } },
      /missing: azure\.sigSubscriptionId, azure\.armResourceGroup, azure\.aksMachinesPoolName;/,
    ],
    ['a group that is taken away', { settings: { featureGates: null } }, /settings.*missing property 'featureGates'/],
    ['a name that is none', { fullnameOverride: 'Foo_Bar' }, /fullnameOverride/],
    ['an interval that is none', { metrics: { serviceMonitor: { interval: 'often' } } }, /metrics[./]serviceMonitor[./]interval/],
  ])('%s: the message says so', (_what, values, says) => {
    const azure = { ...neededValues.azure, ...('azure' in values ? (values.azure as object) : {}) };
    const { code, stderr } = helm('template', charts.controller, { ...neededValues, ...values, azure });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(says);
  });

  test('all contradictions are told at once, with what is missing', () => {
    const { stderr } = helm('template', charts.controller, { settings: { disableLeaderElection: true, metricsPort: 8081 } });
    expect(stderr).toMatch(/values are missing: .*values contradict each other: .*disableLeaderElection.*; .*8081/);
  });

  test('one replica need not ask who leads', () => {
    expect(rendered({ ...neededValues, replicas: 1, settings: { disableLeaderElection: true } }).map(({ kind }) => kind)).toContain(
      'Deployment',
    );
  });

  test('the version of both charts is one', () => {
    const versionOf = (chart: string): unknown => (parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as { version: unknown }).version;
    expect(versionOf(charts.crds)).toBe(versionOf(charts.controller));
  });
});
