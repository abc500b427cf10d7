import { describe, expect, test } from '@jest/globals';
import type { NodeOptions, PodOptions } from '../../fixtures/builders.ts';
import { chooseAmong } from '../../fixtures/choose-among.ts';
import type { Choosing } from '../../fixtures/choose-among.ts';

interface Case extends Choosing {
  readonly name: string;
  /** The node's name, or the reasons against. */
  readonly expected: string | Readonly<Record<string, number>>;
}

const zone = (name: string): NodeOptions => ({ labels: { 'topology.kubernetes.io/zone': name } });
const app = (name: string): PodOptions => ({ labels: { app: name } });
const selector = (name: string) => ({ matchLabels: { app: name } });
const near = (name: string, more: object = {}) => [{ topologyKey: 'topology.kubernetes.io/zone', labelSelector: selector(name), ...more }];
const friendOf = (name: string, more: object = {}): PodOptions => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: near(name, more) } },
});
const foeOf = (name: string, more: object = {}): PodOptions => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: near(name, more) } },
});
const spreadOver = (more: object = {}): PodOptions => ({
  labels: { app: 'web' },
  topologySpreadConstraints: [
    { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector('web'), ...more },
  ],
});
const inTerm = (key: string, operator: 'In' | 'NotIn' | 'Gt', values: readonly string[]): PodOptions => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }] },
    },
  },
});
const hostPort = (port: number, hostIP?: string): PodOptions => ({
  containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: port, ...(hostIP === undefined ? {} : { hostIP }) }] }],
});
const AFFINITY = { "node(s) didn't match Pod's node affinity/selector": 1 };
const SKEWED = "node(s) didn't match pod topology spread constraints";
const gpu = { key: 'gpu', value: 'yes', effect: 'NoSchedule' as const };

const cases: readonly Case[] = [
  { name: 'a cordoned node takes nothing', nodes: { a: { unschedulable: true } }, pod: {}, expected: { 'node(s) were unschedulable': 1 } },
  {
    name: 'a cordoned node takes what tolerates the cordon',
    nodes: { a: { unschedulable: true } },
    pod: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] },
    expected: 'a',
  },
  {
    name: 'an untolerated taint is named',
    nodes: { a: { taints: [gpu] } },
    pod: {},
    expected: { 'node(s) had untolerated taint {gpu: yes}': 1 },
  },
  {
    name: 'a tolerated taint does not matter',
    nodes: { a: { taints: [gpu] } },
    pod: { tolerations: [{ key: 'gpu', value: 'yes' }] },
    expected: 'a',
  },
  {
    name: 'a toleration of another effect does not count',
    nodes: { a: { taints: [gpu] } },
    pod: { tolerations: [{ key: 'gpu', value: 'yes', effect: 'NoExecute' }] },
    expected: { 'node(s) had untolerated taint {gpu: yes}': 1 },
  },
  {
    name: 'PreferNoSchedule only puts off',
    nodes: { a: { taints: [{ ...gpu, effect: 'PreferNoSchedule' }] }, b: {} },
    pod: {},
    expected: 'b',
  },
  {
    name: 'PreferNoSchedule is taken when nothing else is left',
    nodes: { a: { taints: [{ ...gpu, effect: 'PreferNoSchedule' }] } },
    pod: {},
    expected: 'a',
  },
  { name: 'ties go to the lowest name', nodes: { b: {}, a: {} }, pod: {}, expected: 'a' },
  {
    name: 'a node selector picks its node',
    nodes: { a: zone('a'), b: zone('b') },
    pod: { nodeSelector: { 'topology.kubernetes.io/zone': 'b' } },
    expected: 'b',
  },
  { name: 'a node selector that no node meets is named', nodes: { a: {} }, pod: { nodeSelector: { disk: 'ssd' } }, expected: AFFINITY },
  { name: 'NotIn admits a missing label', nodes: { a: {} }, pod: inTerm('disk', 'NotIn', ['hdd']), expected: 'a' },
  {
    name: 'Gt compares integers',
    nodes: { a: { labels: { n: '9' } }, b: { labels: { n: '10' } } },
    pod: inTerm('n', 'Gt', ['9']),
    expected: 'b',
  },
  {
    name: 'matchFields names a node',
    nodes: { a: {}, b: {} },
    pod: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
          },
        },
      },
    },
    expected: 'b',
  },
  {
    name: 'a preferred node affinity outweighs free room',
    nodes: { a: {}, b: zone('b') },
    running: { big: { on: 'b', requests: { cpu: '3' } } },
    pod: {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] }] } },
          ],
        },
      },
    },
    expected: 'b',
  },
  {
    name: 'every short resource is named',
    nodes: { a: {}, b: {} },
    pod: { requests: { cpu: '5', memory: '17Gi' } },
    expected: { 'Insufficient cpu': 2, 'Insufficient memory': 2 },
  },
  {
    name: 'what runs already is taken off',
    nodes: { a: {}, b: {} },
    running: { x: { on: 'a', requests: { cpu: '3' } } },
    pod: { requests: { cpu: '1500m' } },
    expected: 'b',
  },
  {
    name: 'pods are counted',
    nodes: { a: { allocatable: { pods: '1' } } },
    running: { x: { on: 'a' } },
    pod: {},
    expected: { 'Too many pods': 1 },
  },
  {
    name: 'an init container counts when it is larger',
    nodes: { a: {} },
    pod: { initContainers: [{ name: 'init', resources: { requests: { cpu: '5' } } }] },
    expected: { 'Insufficient cpu': 1 },
  },
  {
    name: 'sidecars count beside the containers and beside later init containers',
    nodes: { a: {} },
    pod: {
      initContainers: [
        { name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: '2' } } },
        { name: 'init', resources: { requests: { cpu: '2500m' } } },
      ],
    },
    expected: { 'Insufficient cpu': 1 },
  },
  {
    name: 'overhead counts',
    nodes: { a: {} },
    pod: { requests: { cpu: '4' }, overhead: { cpu: '1m' } },
    expected: { 'Insufficient cpu': 1 },
  },
  {
    name: 'a request of the whole pod replaces the sum',
    nodes: { a: {} },
    pod: { requests: { cpu: '8' }, resources: { requests: { cpu: '1' } } },
    expected: 'a',
  },
  {
    name: 'a limit is a request too',
    nodes: { a: {} },
    pod: { containers: [{ name: 'main', resources: { limits: { cpu: '5' } } }] },
    expected: { 'Insufficient cpu': 1 },
  },
  {
    name: 'a host port that is taken keeps a pod off the node',
    nodes: { a: {}, b: {} },
    running: { x: { on: 'a', ...hostPort(80) } },
    pod: hostPort(80, '10.0.0.1'),
    expected: 'b',
  },
  {
    name: 'the same port on two addresses is no collision',
    nodes: { a: {} },
    running: { x: { on: 'a', ...hostPort(80, '10.0.0.2') } },
    pod: hostPort(80, '10.0.0.1'),
    expected: 'a',
  },
  {
    name: 'spread goes where fewest are',
    nodes: { a: zone('a'), b: zone('b') },
    running: { x: { on: 'a', ...app('web') } },
    pod: spreadOver(),
    expected: 'b',
  },
  {
    name: 'spread refuses a skew that is too large',
    nodes: { a: zone('a'), b: { ...zone('b'), unschedulable: true } },
    running: { x: { on: 'a', ...app('web') } },
    pod: spreadOver(),
    expected: { [SKEWED]: 1, 'node(s) were unschedulable': 1 },
  },
  {
    name: 'with nodeTaintsPolicy Honor a tainted zone is no domain',
    nodes: { a: zone('a'), b: { ...zone('b'), taints: [gpu] } },
    running: { x: { on: 'a', ...app('web') } },
    pod: spreadOver({ nodeTaintsPolicy: 'Honor' }),
    expected: 'a',
  },
  {
    name: 'by default a zone that the pod does not select is no domain',
    nodes: { a: zone('a'), b: zone('b') },
    running: { x: { on: 'a', ...app('web') } },
    pod: { ...spreadOver(), nodeSelector: { 'topology.kubernetes.io/zone': 'a' } },
    expected: 'a',
  },
  {
    name: 'with nodeAffinityPolicy Ignore a zone that the pod does not select is a domain',
    nodes: { a: zone('a'), b: zone('b') },
    running: { x: { on: 'a', ...app('web') } },
    pod: { ...spreadOver({ nodeAffinityPolicy: 'Ignore' }), nodeSelector: { 'topology.kubernetes.io/zone': 'a' } },
    expected: { [SKEWED]: 1, "node(s) didn't match Pod's node affinity/selector": 1 },
  },
  {
    name: 'fewer domains than minDomains: the minimum is 0',
    nodes: { a: zone('a') },
    running: { x: { on: 'a', ...app('web') } },
    pod: spreadOver({ minDomains: 2 }),
    expected: { [SKEWED]: 1 },
  },
  {
    name: 'matchLabelKeys counts one revision alone',
    nodes: { a: zone('a'), b: zone('b') },
    running: { x: { on: 'a', labels: { app: 'web', rev: '1' } } },
    pod: { ...spreadOver({ matchLabelKeys: ['rev'] }), labels: { app: 'web', rev: '2' } },
    expected: 'a',
  },
  {
    name: 'a node without the topology key of a spread is refused for its missing label',
    nodes: { a: {} },
    pod: spreadOver(),
    expected: { [`${SKEWED} (missing required label)`]: 1 },
  },
  {
    name: 'ScheduleAnyway only prefers',
    nodes: { a: zone('a') },
    running: { x: { on: 'a', ...app('web') }, y: { on: 'a', ...app('web') } },
    pod: spreadOver({ whenUnsatisfiable: 'ScheduleAnyway' }),
    expected: 'a',
  },
  {
    name: 'affinity goes where its company is',
    nodes: { a: zone('a'), b: zone('b') },
    running: { db: { on: 'b', ...app('db') } },
    pod: friendOf('db'),
    expected: 'b',
  },
  {
    name: 'affinity without company keeps a pod pending',
    nodes: { a: zone('a') },
    pod: friendOf('db'),
    expected: { "node(s) didn't match pod affinity rules": 1 },
  },
  { name: 'the first of its own group is let in', nodes: { a: zone('a') }, pod: { ...friendOf('web'), ...app('web') }, expected: 'a' },
  {
    name: 'the first of its own group still needs the key',
    nodes: { a: {} },
    pod: { ...friendOf('web'), ...app('web') },
    expected: { "node(s) didn't match pod affinity rules": 1 },
  },
  {
    name: 'company in another namespace does not count',
    nodes: { a: zone('a') },
    running: { db: { on: 'a', ...app('db'), namespace: 'blue' } },
    pod: friendOf('db'),
    expected: { "node(s) didn't match pod affinity rules": 1 },
  },
  {
    name: 'company in a namespace that the term selects by label counts',
    nodes: { a: zone('a') },
    running: { db: { on: 'a', ...app('db'), namespace: 'blue' } },
    pod: friendOf('db', { namespaceSelector: { matchLabels: { team: 'blue' } } }),
    expected: 'a',
  },
  {
    name: 'company in a namespace that the term names counts',
    nodes: { a: zone('a') },
    running: { db: { on: 'a', ...app('db'), namespace: 'blue' } },
    pod: friendOf('db', { namespaces: ['blue'] }),
    expected: 'a',
  },
  {
    name: 'anti-affinity keeps away from the whole domain',
    nodes: { a: zone('a'), a2: zone('a'), b: zone('b') },
    running: { db: { on: 'a', ...app('db') } },
    pod: foeOf('db'),
    expected: 'b',
  },
  {
    name: 'anti-affinity of running pods holds against newcomers',
    nodes: { a: zone('a'), a2: zone('a') },
    running: { db: { on: 'a', ...foeOf('web') } },
    pod: app('web'),
    expected: { "node(s) didn't satisfy existing pods anti-affinity rules": 2 },
  },
  {
    name: 'a preferred anti-affinity gives way',
    nodes: { a: zone('a') },
    running: { db: { on: 'a', ...app('db') } },
    pod: {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: near('db').map((podAffinityTerm) => ({ weight: 5, podAffinityTerm })),
        },
      },
    },
    expected: 'a',
  },
];

describe('where a pod goes', () => {
  test.each(cases)('$name', (one) => {
    expect(chooseAmong(one)).toEqual(one.expected);
  });
});
