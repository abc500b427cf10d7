import { snapshotOf } from '@karpenter/core';
import type { ClusterSnapshot, Pod, ResourceClaimTemplate } from '@karpenter/core';
import type { Figure } from '../report.ts';
import { checkComplete } from './check-plan.ts';
import { timeFigures } from './plan-figures.ts';
import { cheapest } from './policies.ts';
import { medianOfThree } from './timed-plan.ts';

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

const claimingPods = (): ClusterSnapshot =>
  snapshotOf({
    nodePools: [
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        metadata: { name: 'gpus' },
        spec: {
          template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } },
        },
      },
    ],
    instanceTypes: Array.from({ length: TYPES }, (_, index) => gpuType(index)),
    deviceClasses: [{ metadata: { name: 'gpu' }, spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] } }],
    resourceClaimTemplates: templates,
    pods: Array.from({ length: PODS }, (_, index) => aPod(index)),
  });

/** Pods with one claim each, over types that bring GPUs. */
export const deviceClaimCases = (): readonly Figure[] => {
  const snapshot = claimingPods();
  const run = medianOfThree(snapshot, cheapest);
  checkComplete(snapshot, cheapest, run.plan);
  const name = `${PODS} pods with a claim each, ${TYPES} GPU types`;
  return [
    ...timeFigures(name, run, PODS).map((figure) => (figure.unit === 'ms' ? { ...figure, atMost: MOST_MS } : figure)),
    { case: `${name}: nodes`, figure: run.plan.plannedNodes.length, unit: 'nodes' },
    { case: `${name}: price`, figure: run.plan.pricePerHour, unit: '$/h' },
  ];
};
