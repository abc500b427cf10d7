import type { Node } from '@karpenter/core';
import type { Device, ResourceSlice } from '@karpenter/core/internal';
import { type KubeClient, KubeError, type KubeObject } from '@karpenter/runtime';

/** An amount of counters that a device takes. */
type CounterConsumption = NonNullable<Device['consumesCounters']>[number];
type StoredNode = Node & KubeObject;
type StoredSlice = ResourceSlice & KubeObject;

/** A GPU as the driver finds it on a node. */
interface FoundGpu {
  readonly productName: string;
  readonly brand: string;
  readonly architecture: string;
  readonly cudaComputeCapability: string;
  readonly memory: string;
  /** Of a GPU that the driver may split: profile, its id, its memory slices, and where it can start. */
  readonly mig?: readonly (readonly [profile: string, id: number, memorySlices: number, starts: readonly number[]])[];
}

const t4: FoundGpu = { productName: 'Tesla T4', brand: 'Tesla', architecture: 'Turing', cudaComputeCapability: '7.5.0', memory: '15360Mi' };
const h100: FoundGpu = {
  ...{ productName: 'NVIDIA H100 NVL', brand: 'Nvidia', architecture: 'Hopper', cudaComputeCapability: '9.0.0', memory: '95830Mi' },
  mig: [
    ['1g.12gb', 19, 1, [0, 1, 2, 3, 4, 5, 6]],
    ['3g.47gb', 9, 4, [0, 4]],
    ['7g.94gb', 0, 8, [0]],
  ],
};

/** The GPUs of the sizes that the stories use. */
const GPUS: Readonly<Record<string, readonly FoundGpu[]>> = {
  Standard_NC4as_T4_v3: [t4],
  Standard_NC8as_T4_v3: [t4],
  Standard_NC16as_T4_v3: [t4],
  Standard_NC64as_T4_v3: [t4, t4, t4, t4],
  Standard_NC40ads_H100_v5: [h100],
};

const DRIVER = 'gpu.nvidia.com';
const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const EVERY_MS = 500;

const deviceOf = ({ memory, mig, cudaComputeCapability, ...texts }: FoundGpu, minor: number): Device => ({
  name: `gpu-${minor}`,
  attributes: {
    ...Object.fromEntries(Object.entries({ ...texts, type: 'gpu', uuid: `GPU-${minor}` }).map(([name, string]) => [name, { string }])),
    cudaComputeCapability: { version: cudaComputeCapability },
    driverVersion: { version: '580.65.6' },
    cudaDriverVersion: { version: '13.0.0' },
    'resource.kubernetes.io/pciBusID': { string: `000${minor}:00:00.0` },
    'resource.kubernetes.io/pcieRoot': { string: `pci000${minor}:00` },
  },
  capacity: { memory: { value: memory } },
  ...(mig && { consumesCounters: [slicesOf(minor, 0, 8)] }),
});

const slicesOf = (minor: number, start: number, count: number): CounterConsumption => ({
  counterSet: `gpu-${minor}-counter-set`,
  counters: Object.fromEntries(Array.from({ length: count }, (_, index) => [`memory-slice-${start + index}`, { value: '1' }])),
});

/** The parts that the GPU can be split into; each takes memory slices of its own. */
const partsOf = (gpu: FoundGpu, minor: number): readonly Device[] =>
  (gpu.mig ?? []).flatMap(([profile, id, memorySlices, starts]) =>
    starts.map((start) => {
      const { attributes } = deviceOf(gpu, minor);
      return {
        name: `gpu-${minor}-mig-${profile.replace('.', '')}-${id}-${start}`,
        attributes: { ...attributes, type: { string: 'mig' }, profile: { string: profile } },
        consumesCounters: [slicesOf(minor, start, memorySlices)],
      };
    }),
  );

const isReady = ({ status }: StoredNode): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/**
 * The node's pool: the counters of GPUs that can be split in a slice of their own, as from Kubernetes 1.35 on, and all
 * devices in another.
 */
const slicesOfNode = ({ metadata: { name, uid = '' } }: StoredNode, gpus: readonly FoundGpu[]): readonly StoredSlice[] => {
  const sharedCounters = gpus.flatMap(({ mig }, minor) => {
    const { counterSet, counters } = slicesOf(minor, 0, 8);
    return mig === undefined ? [] : [{ name: counterSet, counters }];
  });
  const devices = gpus.flatMap((gpu, minor) => [deviceOf(gpu, minor), ...partsOf(gpu, minor)]);
  const contents: readonly Partial<ResourceSlice['spec']>[] = [{ devices }, ...(sharedCounters.length === 0 ? [] : [{ sharedCounters }])];
  return contents.map((content, index) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${name}-${DRIVER}-${index}`, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid, controller: true }] },
    spec: { driver: DRIVER, nodeName: name, pool: { name, generation: 1, resourceSliceCount: contents.length }, ...content },
  }));
};

const unlessThere = (error: unknown): void => {
  if (!(error instanceof KubeError) || error.code !== 'already-exists') throw error;
};

/**
 * Publishes the GPUs of ready nodes as the pods of NVIDIA's DRA driver do, with MIG partitions where a GPU has them.
 * Karpenter's own table of GPUs is not read here. Source: kubernetes-sigs/dra-driver-nvidia-gpu,
 * `cmd/gpu-kubelet-plugin`.
 */
export class NvidiaDriver implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #done = new AbortController();
  readonly #loop: Promise<void>;

  constructor(client: KubeClient) {
    this.#client = client;
    this.#loop = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#done.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#done.signal.aborted) {
      await this.#publish();
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }

  async #publish(): Promise<void> {
    const published = new Set((await this.#client.list<StoredSlice>('ResourceSlice')).items.map(({ spec }) => spec.nodeName));
    for (const node of (await this.#client.list<StoredNode>('Node')).items) {
      const gpus = GPUS[node.metadata.labels?.[INSTANCE_TYPE] ?? ''];
      if (gpus === undefined || published.has(node.metadata.name) || !isReady(node)) continue;
      for (const slice of slicesOfNode(node, gpus)) await this.#client.create('ResourceSlice', slice).catch(unlessThere);
    }
  }
}
