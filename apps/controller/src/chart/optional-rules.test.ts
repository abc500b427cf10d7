import { expect, jest, test } from '@jest/globals';
import { everythingOn } from './everything-on.ts';
import { charts, describeWithHelm } from './helm.ts';
import { account } from './installed.ts';
import { neededValues, renderChart } from './rendered.ts';
import { grantsIn, subjectsIn } from './rights.ts';

jest.setTimeout(60_000);

const { azure } = neededValues;
const { schedulerConfig } = everythingOn.settings;

const reads = (...kinds: readonly string[]): readonly string[] => kinds.flatMap((kind) => [`list ${kind}`, `watch ${kind}`]);
const withGate = (gate: string): object => ({ settings: { featureGates: { [gate]: true } } });

const theNameService = 'get services in kube-system named kube-dns';
const theClass = 'aksnodeclasses.karpenter.azure.com';
const theKwokClass = 'kwoknodeclasses.karpenter.kwok.sh';
const itsLease = 'leases.coordination.k8s.io in karpenter';
const itsOwnClass = { apiGroups: ['acme.example.com'], resources: ['acmenodeclasses'], verbs: ['list'] };

/** Values that need rules, values that do not, and the rules: those of "What it may do" in docs/helm.md. */
const options: readonly {
  readonly option: string;
  readonly needs?: object;
  readonly doesNot?: object;
  readonly rules: readonly string[];
}[] = [
  {
    option: 'settings.featureGates.capacityBuffer',
    needs: withGate('capacityBuffer'),
    doesNot: { settings: { featureGates: { capacityBuffer: false } } },
    rules: [
      ...reads('capacitybuffers.autoscaling.x-k8s.io'),
      'patch capacitybuffers.autoscaling.x-k8s.io/status',
      ...['podtemplates', 'deployments.apps', 'statefulsets.apps', 'replicasets.apps'].map((kind) => `get ${kind}`),
    ],
  },
  {
    option: 'settings.featureGates.nodeOverlay',
    needs: withGate('nodeOverlay'),
    rules: [...reads('nodeoverlays.karpenter.sh'), 'patch nodeoverlays.karpenter.sh/status'],
  },
  { option: 'settings.featureGates.podNomination', needs: withGate('podNomination'), rules: ['patch pods/status'] },
  {
    option: 'settings.featureGates.rebalancePlan',
    needs: withGate('rebalancePlan'),
    rules: [...reads('rebalanceplans.karpenter.sh'), 'patch rebalanceplans.karpenter.sh/status'],
  },
  {
    option: 'settings.ignoreDRARequests',
    doesNot: { settings: { ignoreDRARequests: true } },
    rules: reads(
      ...['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'].map((kind) => `${kind}.resource.k8s.io`),
    ),
  },
  {
    option: 'settings.schedulerConfig',
    needs: { settings: { schedulerConfig } },
    rules: reads('services', 'replicationcontrollers', 'replicasets.apps', 'statefulsets.apps'),
  },
  {
    option: 'settings.disableLeaderElection',
    doesNot: { replicas: 1, settings: { disableLeaderElection: true } },
    rules: [`create ${itsLease}`, ...['get', 'update'].map((verb) => `${verb} ${itsLease} named karpenter-leader-election`)],
  },
  { option: 'azure.dnsServiceIp', doesNot: { azure: { ...azure, dnsServiceIp: '10.0.0.10' } }, rules: [theNameService] },
  {
    option: 'azure.systemNamespace',
    needs: { azure: { ...azure, systemNamespace: 'kube-system' } },
    rules: ['get configmaps in kube-system named upcoming-maintenance-window'],
  },
  {
    option: 'settings.cloudProvider',
    needs: { extraRules: [itsOwnClass] },
    doesNot: { settings: { cloudProvider: 'acme' }, extraRules: [itsOwnClass] },
    rules: [...reads(theClass), `patch ${theClass}`, `patch ${theClass}/status`, theNameService],
  },
  {
    option: 'settings.cloudProvider @karpenter/kwok',
    needs: { settings: { cloudProvider: '@karpenter/kwok' }, extraRules: [itsOwnClass] },
    doesNot: { settings: { cloudProvider: 'acme' }, extraRules: [itsOwnClass] },
    rules: [...reads(theKwokClass), `get ${theKwokClass}`, 'create nodes', 'get nodes'],
  },
];

const grantedWith = (values: object = {}): readonly string[] => grantsIn(renderChart({ ...neededValues, ...values }));

describeWithHelm('rules that not everybody needs', () => {
  test.each(options)('come and go with $option', ({ needs, doesNot, rules }) => {
    const [more, less] = [grantedWith(needs), grantedWith(doesNot)];
    expect(more.filter((right) => !less.includes(right))).toEqual([...rules].sort());
    expect(less.filter((right) => !more.includes(right))).toEqual([]);
  });

  test.each([
    ['', []],
    ['azure', []],
    ['cilium', ['networkpolicies.networking.k8s.io', 'ciliumnetworkpolicies.cilium.io', 'ciliumclusterwidenetworkpolicies.cilium.io']],
    [
      'calico',
      ['networkpolicies.networking.k8s.io', 'networkpolicies.crd.projectcalico.org', 'globalnetworkpolicies.crd.projectcalico.org'],
    ],
  ] as const)('F14: from Kubernetes 1.99 on localDNS Preferred may read the cluster, network policy "%s"', (networkPolicy, policies) => {
    const values = { ...neededValues, azure: { ...azure, networkPolicy } };
    const [before, after] = [grantsIn(renderChart(values)), grantsIn(renderChart(values, charts.controller, 'templateLater'))];
    const wanted = ['get daemonsets.apps in kube-system named node-local-dns', ...policies.map((kind) => `list ${kind}`)];
    expect(after.filter((right) => !before.includes(right))).toEqual(wanted.sort());
  });

  test('and all of them are given to the one account', () => {
    const subject = { kind: 'ServiceAccount', name: 'karpenter', namespace: 'karpenter' };
    expect(account.name).toBe(`system:serviceaccount:${subject.namespace}:${subject.name}`);
    expect(subjectsIn(renderChart(everythingOn))).toEqual([subject]);
  });
});
