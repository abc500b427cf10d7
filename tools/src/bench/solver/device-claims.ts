import { type ClusterSnapshot, type NodePool, type Pod, snapshotOf } from '@karpenter/core';
import { deviceViewOf, type ResourceClaimTemplate } from '@karpenter/core/internal';
import { aNodePool, aSnapshot, assortedInstanceTypes } from '@karpenter/testkit';
import type { Figure } from '../report.ts';
import { askAboutEach } from './ask-about-each.ts';
import { checkComplete } from './check-plan.ts';
import { timeFigures } from './plan-figures.ts';
import { cheapest } from './policies.ts';
import { stepFigures } from './steps.ts';
import { medianOfThree, timedPlan } from './timed-plan.ts';
import { mixedPods } from '../inputs/workloads.ts';

const DRIVER = 'gpu.example.com';
const PODS = 1000;
const TYPES = 100;
/** The most that a plan of these pods may take. */
const MOST_MS = 1000;

/** A size with one to eight GPUs of one of ten models. */
const gpuType = (index: number) => {
  const gpus = 1 + (index % 8);
  const attributes = { model: { string: `model-${index % 10}` } };
  const capacity = { memory: { value: `${16 * (1 + (index % 5))}Gi` } };
  const devices = Array.from({ length: gpus }, (_, gpu) => ({ name: `gpu-${gpu}`, attributes, capacity }));
  return {
    name: `gpu-${index}`,
    capacity: { cpu: String(8 * gpus), memory: `${64 * gpus}Gi`, pods: '110' },
    pricePerHour: { 'on-demand': gpus * (1 + index / TYPES) },
    dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices }] },
  };
};

/** A claim for one GPU: any, one of a model, or one with enough memory. */
const templates: readonly ResourceClaimTemplate[] = [
  'true',
  `device.attributes["${DRIVER}"].model == "model-3"`,
  `device.capacity["${DRIVER}"].memory.compareTo(quantity("40Gi")) >= 0`,
].map((expression, index) => ({
  metadata: { name: `claim-${index}`, namespace: 'default' },
  spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] } }] } } },
}));

const aPod = (index: number): Pod => ({
  metadata: { name: `pod-${index}`, namespace: 'default', uid: `pod-${index}` },
  spec: {
    containers: [{ name: 'main', resources: { requests: { cpu: String(1 + (index % 4)), memory: '4Gi' } } }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: `claim-${index % templates.length}` }],
  },
});

const gpuPool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'gpus' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
};
const gpuClass = { metadata: { name: 'gpu' }, spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] } };

const claimingPods = (): ClusterSnapshot =>
  snapshotOf({
    nodePools: [gpuPool],
    instanceTypes: Array.from({ length: TYPES }, (_, index) => gpuType(index)),
    deviceClasses: [gpuClass],
    resourceClaimTemplates: templates,
    pods: Array.from({ length: PODS }, (_, index) => aPod(index)),
  });

const ORDINARY_PODS = 20_000;
const RUNS = 7;
/** How much more a plan for pods without claims may take beside the devices of others. */
const MOST_TIMES = 1.1;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Pods without claims, in turns without any devices, and beside classes, claims and 200 nodes' slices of others. */
const ordinaryPods = (): readonly Figure[] => {
  const without = aSnapshot({
    pending: mixedPods(ORDINARY_PODS),
    instanceTypes: assortedInstanceTypes(400),
    nodePools: [aNodePool({ limits: { cpu: '10000000', memory: '10000000Gi' } })],
  });
  const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'class-0' } }] } };
  const devices = deviceViewOf({
    deviceClasses: Array.from({ length: 20 }, (_, index) => ({
      metadata: { name: `class-${index}` },
      spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }], extendedResourceName: `example.com/gpu-${index}` },
    })),
    resourceClaims: Array.from({ length: 500 }, (_, index) => ({ metadata: { name: `claim-${index}`, namespace: 'default' }, spec })),
    resourceClaimTemplates: templates,
    resourceSlices: Array.from({ length: 200 }, (_, index) => ({
      metadata: { name: `slice-${index}` },
      spec: {
        ...{ driver: DRIVER, nodeName: `node-${index}`, pool: { name: `node-${index}`, resourceSliceCount: 1 } },
        devices: Array.from({ length: 8 }, (__, gpu) => ({ name: `gpu-${gpu}` })),
      },
    })),
  });
  const msOf = (snapshot: ClusterSnapshot): number =>
    timedPlan({ ...snapshot, pendingPods: structuredClone(snapshot.pendingPods) }, cheapest).ms;
  msOf(without);
  const runs = Array.from({ length: RUNS }, () => ({ withoutMs: msOf(without), besideMs: msOf({ ...without, devices }) }));
  const [withoutMs, besideMs] = [median(runs.map((run) => run.withoutMs)), median(runs.map((run) => run.besideMs))];
  const name = `mix, ${ORDINARY_PODS} pods without claims`;
  return [
    { case: `${name}, no devices, median of ${RUNS}`, figure: withoutMs, unit: 'ms' },
    { case: `${name}, beside devices of others, median of ${RUNS}`, figure: besideMs, unit: 'ms' },
    { case: `${name}, beside devices over none`, figure: besideMs / withoutMs, unit: 'x', atMost: MOST_TIMES },
  ];
};

const GPU_NODES = 2000;
const GPUS_A_NODE = 8;
/** The most that one candidate may take. */
const MOST_MS_A_CANDIDATE = 5;

/** Nodes with GPUs, all but one of each used by a pod of its own. */
const gpuNodes = (): ClusterSnapshot => {
  const nodeNames = Array.from({ length: GPU_NODES }, (_, node) => `node-${node}`);
  const users = nodeNames.flatMap((node) =>
    Array.from({ length: GPUS_A_NODE - 1 }, (_, gpu) => ({ node, gpu: `gpu-${gpu}`, name: `${node}-${gpu}` })),
  );
  const type = gpuType(GPUS_A_NODE - 1);
  const labels = { 'karpenter.sh/nodepool': 'gpus', 'node.kubernetes.io/instance-type': type.name };
  const conditions = [{ type: 'Ready', status: 'True' }] as const;
  return snapshotOf({
    nodePools: [gpuPool],
    instanceTypes: [type],
    deviceClasses: [gpuClass],
    resourceClaims: users.map(({ node, gpu, name }) => ({
      metadata: { name, namespace: 'default' },
      spec: templates[0]?.spec.spec ?? {},
      status: {
        allocation: { devices: { results: [{ request: 'gpu', driver: DRIVER, pool: node, device: gpu }] } },
        reservedFor: [{ resource: 'pods', name, uid: name }],
      },
    })),
    resourceSlices: nodeNames.map((nodeName) => {
      const [template] = type.dynamicResources.resourceSliceTemplates;
      const pool = { name: nodeName, resourceSliceCount: 1 };
      return { metadata: { name: nodeName }, spec: { driver: DRIVER, nodeName, pool, devices: template?.devices ?? [] } };
    }),
    nodes: nodeNames.map((name) => ({
      metadata: { name, labels },
      status: { capacity: type.capacity, allocatable: type.capacity, conditions },
    })),
    pods: users.map(({ node, name }) => ({
      metadata: { name, namespace: 'default', uid: name },
      spec: {
        nodeName: node,
        containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }],
        resourceClaims: [{ name: 'gpu', resourceClaimName: name }],
      },
    })),
  });
};

/** What a question about each node with GPUs costs. */
const gpuCandidates = (): readonly Figure[] => {
  const { openingMs, askingMs } = askAboutEach(gpuNodes());
  const name = `${GPU_NODES} nodes, ${GPU_NODES * (GPUS_A_NODE - 1)} pods with a GPU each`;
  return [
    { case: `${name}: making the what-if ready`, figure: openingMs, unit: 'ms' },
    { case: `${name}: one consolidation candidate (mean of all)`, figure: askingMs / GPU_NODES, unit: 'ms', atMost: MOST_MS_A_CANDIDATE },
  ];
};

/** Pods with one claim each, over types that bring GPUs, what devices cost other pods, and nodes with GPUs as candidates. */
export const deviceClaimCases = (): readonly Figure[] => {
  const name = `${PODS} pods with a claim each, ${TYPES} GPU types`;
  const steps = stepFigures(name, claimingPods);
  const snapshot = claimingPods();
  const run = medianOfThree(snapshot, cheapest);
  checkComplete(snapshot, cheapest, run.plan);
  return [
    ...steps,
    ...timeFigures(name, run, PODS).map((figure) => (figure.unit === 'ms' ? { ...figure, atMost: MOST_MS } : figure)),
    { case: `${name}: nodes`, figure: run.plan.plannedNodes.length, unit: 'nodes' },
    { case: `${name}: price`, figure: run.plan.pricePerHour, unit: '$/h' },
    ...gpuCandidates(),
    ...ordinaryPods(),
  ];
};
