import type { KubeObject } from '@karpenter/runtime';

/** The parts of an object by which it is odd. */
export interface Odd {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const recordOf = <T>(count: number, of: (index: number) => readonly [string, T]): Readonly<Record<string, T>> =>
  Object.fromEntries(range(count).map(of));

/** Own keys that a careless program takes for those of every object. */
const prototypeKeys = JSON.parse('{"__proto__":"x","constructor":"x","toString":"x","hasOwnProperty":"x"}') as Readonly<
  Record<string, string>
>;

const ready = (status: string) => ({ type: 'Ready', status, lastHeartbeatTime: null, lastTransitionTime: null });
const sizes = (cpu: string, memory = '8Gi') => ({ capacity: { cpu, memory, pods: '110' }, allocatable: { cpu, memory, pods: '110' } });
const joined = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
const long = (length: number): string => 'n'.repeat(length);

/** Nodes that the API server takes from whoever may write Nodes: what is odd about them → the Node. */
export const oddNodes: Readonly<Record<string, Odd>> = {
  'labels by the thousand': { metadata: { labels: recordOf(5000, (index) => [`example.com/l-${index}`, `v-${index}`]) } },
  'the hostname of another node': { metadata: { labels: { 'kubernetes.io/hostname': 'another-node' } } },
  'no labels at all': { metadata: {} },
  'allocatable beyond all bounds': { status: sizes('1e18', '9223372036854775807') },
  'an amount that overflows': { status: sizes('1e308', '8E') },
  'amounts of almost nothing': { status: sizes('1n', '1m') },
  'no amounts at all': { status: { capacity: {}, allocatable: {} } },
  'more allocatable than capacity': { status: { capacity: { cpu: '1' }, allocatable: { cpu: '100', memory: '1Ti', pods: '1000' } } },
  'labels named as parts of every object': { metadata: { labels: prototypeKeys } },
  'annotations named as parts of every object': { metadata: { annotations: prototypeKeys } },
  'resources named as parts of every object': {
    status: { capacity: { ...sizes('4').capacity, constructor: '1' }, allocatable: { ...sizes('4').allocatable, constructor: '1' } },
  },
  'a thousand resources': {
    status: {
      capacity: recordOf(1000, (index) => [`example.com/r-${index}`, '1']),
      allocatable: recordOf(1000, (index) => [`example.com/r-${index}`, '1']),
    },
  },
  'an empty zone': { metadata: { labels: { 'topology.kubernetes.io/zone': '', 'topology.kubernetes.io/region': '' } } },
  'a zone and a type that are not for sale': {
    metadata: { labels: { 'topology.kubernetes.io/zone': 'moon-1', 'node.kubernetes.io/instance-type': 'cheese' } },
  },
  'the label of a pool, and no claim': { metadata: { labels: { 'karpenter.sh/nodepool': 'general', ...joined } } },
  'the label of a pool that is not there': { metadata: { labels: { 'karpenter.sh/nodepool': 'nowhere', ...joined } } },
  'an empty label of a pool': { metadata: { labels: { 'karpenter.sh/nodepool': '' } } },
  'a capacity type of its own': { metadata: { labels: { 'karpenter.sh/capacity-type': 'borrowed', 'karpenter.sh/nodepool': 'general' } } },
  'the provider id of nothing': { spec: { providerID: 'nothing://' } },
  'a provider id of 10,000 characters': { spec: { providerID: `simulated:///${long(10_000)}` } },
  'the same provider id as the next': { spec: { providerID: 'simulated:///twin' } },
  'the same provider id as the last': { spec: { providerID: 'simulated:///twin' } },
  'five hundred taints': {
    spec: { taints: range(500).map((index) => ({ key: `example.com/t-${index}`, value: 'x', effect: 'NoSchedule' })) },
  },
  'the taint of a node that Karpenter empties': { spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } },
  'the taint of a node that has not joined': { spec: { taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] } },
  'marked unschedulable, and ready': { spec: { unschedulable: true } },
  'annotations of 200 KB': { metadata: { annotations: { 'example.com/note': 'x'.repeat(200_000) } } },
  'a time that no calendar holds': { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '9999999999h' } } },
  'the name of the longest sort': {
    metadata: {
      name: range(4)
        .map(() => long(62))
        .join('.'),
    },
  },
  'an owner that is not there': {
    metadata: { ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'gone', uid: 'gone', controller: true }] },
  },
  'a finalizer of Karpenter': { metadata: { finalizers: ['karpenter.sh/termination'] } },
  'conditions twice, without times': { status: { ...sizes('4'), conditions: [ready('True'), ready('False'), ready('Unknown')] } },
  'hashes of another pool': {
    metadata: {
      labels: { 'karpenter.sh/nodepool': 'general', ...joined },
      annotations: { 'karpenter.sh/nodepool-hash': 'x', 'karpenter.sh/nodepool-hash-version': 'v999' },
    },
  },
};

const requirement = (key: string, operator: string, values?: readonly string[]) => ({ key, operator, ...(values && { values }) });

/** NodeClaims that the API server takes from whoever may write them: what is odd about them → the claim. */
export const oddNodeClaims: Readonly<Record<string, Odd>> = {
  'no label of a pool': { metadata: { labels: {} } },
  'the label of a pool that is not there': { metadata: { labels: { 'karpenter.sh/nodepool': 'nowhere' } } },
  'an empty label of a pool': { metadata: { labels: { 'karpenter.sh/nodepool': '' } } },
  'a class that is not there': { spec: { nodeClassRef: { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'gone' } } },
  'a class of another provider': { spec: { nodeClassRef: { group: 'example.com', kind: 'OtherNodeClass', name: 'default' } } },
  'no requirements': { spec: { requirements: [] } },
  'requirements that contradict each other': {
    spec: {
      requirements: [requirement('topology.kubernetes.io/zone', 'In', ['a']), requirement('topology.kubernetes.io/zone', 'NotIn', ['a'])],
    },
  },
  'a requirement with 2,000 values': {
    spec: {
      requirements: [
        requirement(
          'node.kubernetes.io/instance-type',
          'In',
          range(2000).map((index) => `type-${index}`),
        ),
      ],
    },
  },
  'a hundred requirements': { spec: { requirements: range(100).map((index) => requirement(`example.com/k-${index}`, 'Exists')) } },
  'a bound beyond all numbers': { spec: { requirements: [requirement('example.com/size', 'Gt', ['9007199254740991'])] } },
  'a zone that is not for sale': { spec: { requirements: [requirement('topology.kubernetes.io/zone', 'In', ['moon-1'])] } },
  'minValues that nothing meets': {
    spec: { requirements: [{ ...requirement('node.kubernetes.io/instance-type', 'Exists'), minValues: 50 }] },
  },
  'requests beyond all bounds': { spec: { resources: { requests: { cpu: '1e18', memory: '9223372036854775807' } } } },
  'requests of resources that nothing has': { spec: { resources: { requests: { 'example.com/thing': '1' } } } },
  'labels by the thousand': {
    metadata: { labels: recordOf(5000, (index) => [`example.com/l-${index}`, 'x']) },
  },
  'labels named as parts of every object': { metadata: { labels: { ...prototypeKeys, 'karpenter.sh/nodepool': 'general' } } },
  'annotations of 200 KB': { metadata: { annotations: { 'example.com/note': 'x'.repeat(200_000) } } },
  'a hundred taints': {
    spec: { taints: range(100).map((index) => ({ key: `example.com/t-${index}`, value: 'x', effect: 'NoExecute' })) },
  },
  'startup taints that nobody takes off': { spec: { startupTaints: [{ key: 'example.com/wait', effect: 'NoSchedule' }] } },
  'an end at once': { spec: { expireAfter: '1s', terminationGracePeriod: '1s' } },
  'hashes of another version': {
    metadata: {
      labels: { 'karpenter.sh/nodepool': 'general' },
      annotations: { 'karpenter.sh/nodepool-hash': '1', 'karpenter.sh/nodepool-hash-version': 'v999' },
    },
  },
  'a time that no calendar holds': { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '9999999999h' } } },
  'a name with dots': { metadata: { name: 'a.b.c.d' } },
  'a name as long as a label may be': { metadata: { name: long(63) } },
};

const nodeClassRef = { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' };
const values = (count: number): readonly string[] => range(count).map((index) => `value-${index}`);
const template = (part: object) => ({ template: { spec: { requirements: [], nodeClassRef, ...part } } });
const poolRequiring = (...requirements: readonly object[]): Odd => ({ spec: template({ requirements }) });
const poolLabelled = (labels: object): Odd => ({
  spec: { template: { metadata: { labels }, spec: { requirements: [], nodeClassRef } } },
});
/**
 * NodePools that the API server takes from whoever may write them: what is odd about them → the pool. They come before
 * every ordinary one.
 */
export const oddNodePools: Readonly<Record<string, Odd>> = {
  'a name with dots': { metadata: { name: 'a.b.c' } },
  'a name as long as a label may be': { metadata: { name: `a${long(62)}` } },
  'a name of digits': { metadata: { name: '007' } },
  '10,000 values of a size': poolRequiring(requirement('node.kubernetes.io/instance-type', 'NotIn', values(10_000))),
  'a thousand values of a zone': poolRequiring(requirement('topology.kubernetes.io/zone', 'NotIn', values(1000))),
  'a thousand values of a label of its own': poolRequiring(requirement('example.com/rack', 'In', values(1000))),
  'a hundred requirements': poolRequiring(...range(100).map((index) => requirement(`example.com/k-${index}`, 'Exists'))),
  'a hundred labels that must be absent': poolRequiring(
    ...range(100).map((index) => requirement(`example.com/k-${index}`, 'DoesNotExist')),
  ),
  'requirements that contradict each other': poolRequiring(
    requirement('topology.kubernetes.io/zone', 'In', ['a']),
    requirement('topology.kubernetes.io/zone', 'NotIn', ['a']),
  ),
  'bounds that contradict each other': poolRequiring(
    requirement('example.com/size', 'Gt', ['9']),
    requirement('example.com/size', 'Lt', ['3']),
  ),
  'a bound beyond all numbers': poolRequiring(requirement('example.com/size', 'Gt', ['9007199254740991'])),
  'a zone that is not for sale': poolRequiring(requirement('topology.kubernetes.io/zone', 'In', ['moon-1'])),
  'a size that is not for sale': poolRequiring(requirement('node.kubernetes.io/instance-type', 'In', ['cheese'])),
  'a capacity type of its own': poolRequiring(requirement('karpenter.sh/capacity-type', 'In', ['borrowed'])),
  'an architecture of its own': poolRequiring(requirement('kubernetes.io/arch', 'In', ['abacus'])),
  'another operating system': poolRequiring(requirement('kubernetes.io/os', 'In', ['windows'])),
  'minValues that nothing meets': poolRequiring({ ...requirement('node.kubernetes.io/instance-type', 'Exists'), minValues: 50 }),
  'limits beyond all bounds': { spec: { limits: { cpu: '1e309', memory: '9223372036854775807', nodes: '1e18' } } },
  'limits of nothing': { spec: { limits: { cpu: '0', memory: '0', nodes: '0' } } },
  'limits below nothing': { spec: { limits: { cpu: '-1' } } },
  'limits of almost nothing': { spec: { limits: { cpu: '1n', memory: '1m' } } },
  'a thousand limits': { spec: { limits: recordOf(1000, (index) => [`example.com/r-${index}`, '1']) } },
  'limits named as parts of every object': {
    spec: { limits: JSON.parse('{"__proto__":"1","constructor":"1"}') as Readonly<Record<string, string>> },
  },
  'a hundred labels': poolLabelled(recordOf(100, (index) => [`example.com/l-${index}`, 'x'])),
  'annotations of 200 KB for its nodes': {
    spec: {
      template: { metadata: { annotations: { 'example.com/note': 'x'.repeat(200_000) } }, spec: { requirements: [], nodeClassRef } },
    },
  },
  'annotations of 300 KB for its nodes': {
    spec: {
      template: { metadata: { annotations: { 'example.com/note': 'x'.repeat(300_000) } }, spec: { requirements: [], nodeClassRef } },
    },
  },
  'a hundred taints': {
    spec: template({ taints: range(100).map((index) => ({ key: `example.com/t-${index}`, value: 'x', effect: 'NoExecute' })) }),
  },
  'a class that is not there': { spec: template({ nodeClassRef: { ...nodeClassRef, name: 'gone' } }) },
  'a class of another provider': { spec: template({ nodeClassRef: { group: 'example.com', kind: 'OtherNodeClass', name: 'default' } }) },
  'nodes that end at once': { spec: template({ expireAfter: '1s', terminationGracePeriod: '1s' }) },
  'nodes that end after longer than a calendar holds': { spec: template({ expireAfter: '9999999h' }) },
  'fifty budgets that never allow anything': {
    spec: {
      disruption: { consolidateAfter: '0s', budgets: range(50).map(() => ({ nodes: '0', schedule: '0 0 30 2 *', duration: '1h' })) },
    },
  },
  'the hash of another version': {
    metadata: { annotations: { 'karpenter.sh/nodepool-hash': '1', 'karpenter.sh/nodepool-hash-version': 'v999' } },
  },
  'a time that no calendar holds': { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '9999999999h' } } },
  'no replicas, for a pool of a fixed size': { spec: { replicas: 0 } },
  'a name of one character': { metadata: { name: 'a' } },
  'a name that every object has as a key': { metadata: { name: 'constructor' } },
  'a name like a number in base sixteen': { metadata: { name: '0x1f' } },
  'a name of dots and digits': { metadata: { name: '1.2.3.4.5.6.7.8.9' } },
  'labels by the thousand': { metadata: { labels: recordOf(5000, (index) => [`example.com/l-${index}`, 'x']) } },
  'annotations of 200 KB': { metadata: { annotations: { 'example.com/note': 'x'.repeat(200_000) } } },
  'an owner that is not there': {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone', controller: true }] },
  },
  'a finalizer that nobody takes off': { metadata: { finalizers: ['example.com/forever'] } },
  'the least weight': { spec: { weight: 1 } },
  'a fixed size of nothing, with a limit': { spec: { replicas: 0, limits: { nodes: '0' } } },
  'a limit of half a node': { spec: { limits: { nodes: '0.5' } } },
  'limits at the end of the numbers': { spec: { limits: { cpu: '9223372036854775807', memory: '8E', nodes: '9223372036854775808' } } },
  'limits as whole numbers, without units': { spec: { limits: { cpu: 0, memory: 1, nodes: 2_147_483_647 } } },
  'a limit of a resource with a long name': { spec: { limits: { [`${long(200)}.example.com/${long(63)}`]: '1' } } },
  'a minimum of nothing': { spec: { minimum: { cpu: '0', memory: '0', nodes: '0' } } },
  'a minimum of less than nothing': { spec: { minimum: { cpu: '-1', nodes: '-5' } } },
  'a minimum above its limits': { spec: { minimum: { cpu: '1e309', nodes: '1e18' }, limits: { cpu: '0', nodes: '0' } } },
  'a minimum of a resource that nothing has': { spec: { minimum: { 'example.com/thing': '5' }, limits: { nodes: '0' } } },
  'consolidation after longer than a calendar holds': { spec: { disruption: { consolidateAfter: '9999999h' } } },
  'consolidation after the longest text of a duration': { spec: { disruption: { consolidateAfter: '1h'.repeat(50) } } },
  'no consolidation of empty nodes, ever': { spec: { disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' } } },
  'a balance that is weighed at once': { spec: { disruption: { consolidationPolicy: 'Balanced', consolidateAfter: '0s' } } },
  'no budgets': { spec: { disruption: { consolidateAfter: '0s', budgets: [] } } },
  'a budget of more nodes than there are': { spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '9'.repeat(400) }] } } },
  'budgets for each reason, all and nothing': {
    spec: {
      disruption: {
        consolidateAfter: '0s',
        budgets: ['Underutilized', 'Empty', 'Drifted'].flatMap((reason) => ['0%', '100%'].map((nodes) => ({ nodes, reasons: [reason] }))),
      },
    },
  },
  'a budget for no reason': { spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1', reasons: [] }] } } },
  'a budget of every minute': {
    spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '* * * * *', duration: '1m' }] } },
  },
  'a budget that lasts longer than a calendar holds': {
    spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '@yearly', duration: '99999999h' }] } },
  },
  'a budget whose times are none': {
    spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '61 25 32 13 8', duration: '1h' }] } },
  },
  'a budget whose times are a list of hundreds': {
    spec: {
      disruption: {
        consolidateAfter: '0s',
        budgets: [{ nodes: '0', schedule: `${'59,'.repeat(330)}0 * * * *`, duration: '0h0m0s' }],
      },
    },
  },
  'labels of the longest sort': poolLabelled({ [`${long(62)}.${long(62)}.example.com/${long(63)}`]: long(63) }),
  'labels without values': poolLabelled(recordOf(100, (index) => [`example.com/l-${index}`, ''])),
  'labels named as parts of every object': poolLabelled({ constructor: 'x', toString: 'x', hasOwnProperty: 'x' }),
  'annotations of its nodes named as parts of every object': {
    spec: { template: { metadata: { annotations: prototypeKeys }, spec: { requirements: [], nodeClassRef } } },
  },
  'nodes that may not be disrupted for longer than a calendar holds': {
    spec: {
      template: {
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '9999999999h' } },
        spec: { requirements: [], nodeClassRef },
      },
    },
  },
  'requirements named as parts of every object': poolRequiring(
    requirement('constructor', 'Exists'),
    requirement('toString', 'In', ['hasOwnProperty']),
    requirement('valueOf', 'NotIn', ['constructor']),
  ),
  'the same requirement a hundred times': poolRequiring(
    ...range(100).map(() => requirement('topology.kubernetes.io/zone', 'NotIn', ['moon-1'])),
  ),
  'all operators on one label': poolRequiring(
    ...['Exists', 'DoesNotExist'].map((operator) => requirement('example.com/size', operator)),
    ...['In', 'NotIn', 'Gt', 'Lt', 'Gte', 'Lte'].map((operator) => requirement('example.com/size', operator, ['5'])),
  ),
  'bounds that leave one number': poolRequiring(
    requirement('example.com/size', 'Gte', ['7']),
    requirement('example.com/size', 'Lte', ['7']),
  ),
  'a bound that is nothing': poolRequiring(requirement('example.com/size', 'Lt', ['0'])),
  'an empty value': poolRequiring(requirement('topology.kubernetes.io/zone', 'NotIn', [''])),
  'values that no label has': poolRequiring(requirement('example.com/rack', 'In', ['a b', '\u202E', "'; exit #", '🙂'])),
  'an empty list of excluded values': poolRequiring(requirement('example.com/rack', 'NotIn', [])),
  'minValues of a label that only it has': poolRequiring({ ...requirement('example.com/rack', 'In', values(50)), minValues: 50 }),
  'taints of one key with each effect': {
    spec: template({ taints: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'].map((effect) => ({ key: 'example.com/t', effect })) }),
  },
  'the taints of Karpenter': {
    spec: template({ taints: ['disrupted', 'unregistered'].map((name) => ({ key: `karpenter.sh/${name}`, effect: 'NoExecute' })) }),
  },
  'a hundred startup taints that nobody takes off': {
    spec: template({ startupTaints: range(100).map((index) => ({ key: `example.com/wait-${index}`, effect: 'NoSchedule' })) }),
  },
  'a taint that was added before all time': {
    spec: template({ taints: [{ key: 'example.com/t', effect: 'NoSchedule', timeAdded: '0001-01-01T00:00:00Z' }] }),
  },
  'a drain without any time': { spec: template({ terminationGracePeriod: '0s' }) },
  'a drain for longer than a calendar holds': { spec: template({ terminationGracePeriod: '9999999h' }) },
  'nodes that end before they are there': { spec: template({ expireAfter: '0s' }) },
};

/** The Node to write; the number makes its name, where it has none of its own. */
export const oddNode = ({ metadata, spec, status }: Odd, index: number): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: { name: `odd-node-${index}`, ...metadata },
  ...{ spec: { ...spec }, status: { ...sizes('4'), conditions: [ready('True')], ...status } },
});

/** The NodePool to write, with the weight that puts it first. */
export const oddNodePool = ({ metadata, spec }: Odd, index: number): KubeObject => {
  const isStatic = spec !== undefined && 'replicas' in spec;
  return {
    ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool' },
    metadata: { name: `odd-pool-${index}`, ...metadata },
    ...{ spec: { ...template({}), ...(isStatic ? {} : { weight: 100 }), ...spec } },
  };
};

/** The NodeClaim to write. */
export const oddNodeClaim = ({ metadata, spec }: Odd, index: number): KubeObject => ({
  ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim' },
  metadata: { name: `odd-claim-${index}`, ...metadata },
  ...{ spec: { nodeClassRef, requirements: [], ...spec } },
});
