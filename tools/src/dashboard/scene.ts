import type { EmbeddedCluster } from '@karpenter/simulator';
import { type ArmEmulator, knownRefusals } from '@karpenter/azure-emulator';

/** Something that happens to the cluster. */
export interface Turn {
  readonly atSeconds: number;
  readonly what: string;
  readonly happens: (cluster: EmbeddedCluster, azure: ArmEmulator) => void;
}

const pool = (name: string, capacityType: string): string => `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  template:
    metadata: { labels: { pool: ${name} } }
    spec:
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [${capacityType}] }
        - { key: karpenter.azure.com/sku-family, operator: In, values: [D, E] }
        - { key: karpenter.azure.com/sku-cpu, operator: Lt, values: ['17'] }
      nodeClassRef: { group: karpenter.azure.com, kind: AKSNodeClass, name: default }
  limits: { cpu: 200 }
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 5s
    budgets: [{ nodes: '40%' }]
`;

interface Work {
  readonly name: string;
  readonly pool: string;
  /** Cores that a pod asks for; it may use twice as many. */
  readonly cores: number;
}

const work = ({ name, pool: of, cores }: Work): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: 0
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      nodeSelector: { pool: ${of} }
      terminationGracePeriodSeconds: 2
      containers:
        - name: main
          image: mcr.microsoft.com/oss/kubernetes/pause:3.6
          resources: { requests: { cpu: ${cores}, memory: 1Gi }, limits: { cpu: ${2 * cores}, memory: 2Gi } }
`;

const DAEMON = `
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: default }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      containers:
        - name: main
          image: mcr.microsoft.com/oss/kubernetes/pause:3.6
          resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { cpu: 200m, memory: 128Mi } }
`;

const GUARD = `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: batch, namespace: default }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: batch } } }
`;

const NODE_CLASS = `
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: { name: default }
spec: {}
`;

const OBJECTS = [
  NODE_CLASS,
  pool('general', 'on-demand'),
  pool('cheap', 'spot'),
  DAEMON,
  GUARD,
  work({ name: 'web', pool: 'general', cores: 1 }),
  work({ name: 'batch', pool: 'cheap', cores: 1.5 }),
  work({ name: 'giant', pool: 'general', cores: 500 }),
].join('---');

const scale =
  (replicas: Readonly<Record<string, number>>): Turn['happens'] =>
  ({ local }) => {
    for (const [name, count] of Object.entries(replicas))
      local.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas: count } } });
  };

const refuseMachines =
  (times: number): Turn['happens'] =>
  (_cluster, { faults }) => {
    const refusal = knownRefusals.zonalAllocationFailed();
    faults.add({ operation: 'VirtualMachines_CreateOrUpdate', times, effect: { kind: 'fail', refusal } });
  };

const refuseDeletes =
  (times: number): Turn['happens'] =>
  (_cluster, { faults }) => {
    const error = { code: 'AuthorizationFailed', message: 'The client does not have authorization to perform this action.' };
    faults.add({ operation: 'VirtualMachines_Delete', times, effect: { kind: 'refuse', refusal: { status: 403, error } } });
  };

/** A label of its template changes: what the pool's nodes have is no longer what it asks for. */
const relabel =
  (name: string): Turn['happens'] =>
  ({ local }) =>
    void local.patch('NodePool', { name }, { type: 'merge', body: { spec: { template: { metadata: { labels: { round: 'second' } } } } } });

/** Twelve minutes in which everything happens that the dashboard has a panel for. */
export const scene: readonly Turn[] = [
  { atSeconds: 0, what: 'two pools, and nothing to do', happens: (cluster) => cluster.create(OBJECTS) },
  { atSeconds: 30, what: 'the first pods', happens: scale({ web: 12, batch: 8 }) },
  { atSeconds: 99, what: 'Azure is about to have no machine, three times', happens: refuseMachines(3) },
  { atSeconds: 100, what: 'more of them', happens: scale({ web: 45, batch: 24 }) },
  { atSeconds: 170, what: 'a pod that fits on nothing', happens: scale({ giant: 1 }) },
  { atSeconds: 209, what: 'Azure is about to refuse to delete machines, twice', happens: refuseDeletes(2) },
  { atSeconds: 210, what: 'two thirds of them go', happens: scale({ web: 14, batch: 9 }) },
  { atSeconds: 329, what: 'Azure is about to have no machine, twice', happens: refuseMachines(2) },
  { atSeconds: 330, what: 'the nodes of one pool drift', happens: relabel('cheap') },
  {
    atSeconds: 450,
    what: 'the API server refuses writes for a while',
    happens: ({ faults }) => void faults.inject({ effect: { kind: 'refuse', code: 500 }, verbs: ['patch', 'update'], times: 40 }),
  },
  { atSeconds: 455, what: 'many pods again', happens: scale({ web: 60, batch: 30 }) },
  { atSeconds: 529, what: 'Azure is about to refuse to delete machines, four times', happens: refuseDeletes(4) },
  { atSeconds: 530, what: 'fewer', happens: scale({ web: 35, batch: 12 }) },
  { atSeconds: 545, what: 'and more, while moves are being checked', happens: scale({ web: 44, batch: 20 }) },
  { atSeconds: 595, what: 'Azure is about to refuse to delete machines, six times', happens: refuseDeletes(6) },
  { atSeconds: 600, what: 'the end of all work', happens: scale({ web: 0, batch: 0, giant: 0 }) },
];

/** How long it is watched. */
export const SCENE_SECONDS = 720;
