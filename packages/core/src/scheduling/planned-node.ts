import { annotations, hashAnnotations, isRestrictedLabel, labels } from '../apis/index.ts';
import type { LabelCatalog, NodeClaimSpec } from '../apis/index.ts';
import { amountAt, hasBit, idAt, itemAt, memoByKey, nextBit } from '../base/index.ts';
import { cheapestVarious, relaxMinValues, zonalFirst } from '../catalog/index.ts';
import type { InstanceType, Offering } from '../catalog/index.ts';
import { addResources, maxResources, quantitiesOf } from '../kube/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import { inValues, specsOf } from '../requirements/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';
import { firstValueOf, joinedLabels } from './nodes/node-model.ts';
import { claimRequirements } from './nodes/node-state.ts';
import { instanceTypesIn } from './nodes/fit.ts';
import { fixedLabels, leastOverhead } from './nodes/node-template.ts';
import type { NewNode } from './nodes/new-nodes/new-node.ts';
import type { SchedulingPolicy } from './policy.ts';
import type { Fit, NodeState } from './nodes/node-model.ts';
import type { LeftOut } from '../cluster/index.ts';
import type { RelaxedPods } from './relaxed-preferences.ts';
import type { Rejection } from './rejection/rejection.ts';

/** The most that the node may turn out to have: limits hold whatever the cloud picks. */
export const largestCapacityOf = ({ instanceTypes }: Pick<PlannedNode, 'instanceTypes'>): Resources =>
  instanceTypes.reduce<Resources>((most, { capacity }) => maxResources(most, capacity), { nodes: 1 });

/** What all planned nodes with the same fit share; made once per fit. */
interface FitDetails {
  readonly instanceTypes: readonly InstanceType[];
  readonly cheapest: PlannedNode['cheapest'];
  readonly overhead: Resources;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly requirements: NodeClaimSpec['requirements'];
}

/** Capacity types for which one of the types has an available offering that meets the requirements. */
const capacityTypesOf = ({ state, types }: Fit): readonly string[] => {
  const { offerings, typeOfOffering } = state.template.catalog;
  const found = new Set<string>();
  for (let index = nextBit(state.offerings, 0); index >= 0; index = nextBit(state.offerings, index + 1)) {
    const { capacityType } = offerings[index] ?? {};
    if (capacityType !== undefined && hasBit(types, idAt(typeOfOffering, index))) found.add(capacityType);
  }
  return [...found].sort();
};

/**
 * What the claim requires. The types are chosen already, so a restricted label that may be missing is left out: the API
 * server takes no claim that names it.
 */
const claimed = (
  fit: Fit,
  { requirements, labelCatalog }: { readonly requirements: Requirements; readonly labelCatalog: LabelCatalog },
  instanceTypes: readonly InstanceType[],
): Requirements => {
  const kept = claimRequirements(requirements, fit.state.template);
  const allowed = kept.filter(({ key, mayBeAbsent }) => !mayBeAbsent || !isRestrictedLabel(key, labelCatalog));
  const wanted = new Map(allowed.map((requirement) => [requirement.key, requirement]));
  const keepMinValues = (requirement: Requirement): Requirement => {
    const minValues = requirements.get(requirement.key)?.minValues;
    return minValues === undefined ? requirement : { ...requirement, minValues };
  };
  const names = inValues(
    labels.instanceType,
    instanceTypes.map(({ name }) => name),
  );
  return wanted
    .set(labels.instanceType, keepMinValues(names))
    .set(labels.capacityType, keepMinValues(inValues(labels.capacityType, capacityTypesOf(fit))));
};

/** One value for each label that must be there and is not the cloud's to choose. */
const chosenLabels = ({ state: { requirements, template } }: Fit): Readonly<Record<string, string>> => {
  const chosen: Record<string, string> = {};
  for (const { key, values, mayBeAbsent } of requirements.values()) {
    if (template.wellKnown.has(key) || key in joinedLabels || mayBeAbsent) continue;
    const value = firstValueOf(values);
    if (value !== undefined) chosen[key] = value;
  }
  return chosen;
};

/** Says of a claim of a pool with `minValues` whether it offers less than that; nothing of other claims. */
const relaxedAnnotation = ({ requirements }: NodeState, asked: Requirements): Readonly<Record<string, string>> =>
  [...requirements.values()].some(({ minValues }) => minValues !== undefined)
    ? { [annotations.minValuesRelaxed]: String(asked !== requirements) }
    : {};

/** Says of a claim that it was planned by what NodeOverlays say, so that its provider can take that into account. */
const overlaidAnnotations = (types: readonly InstanceType[]): Readonly<Record<string, string>> => ({
  ...(types.some(({ overlaid }) => overlaid?.hasPrice === true) ? { [annotations.priceOverlayApplied]: 'true' } : {}),
  ...(types.some(({ overlaid }) => Object.keys(overlaid?.capacity ?? {}).length > 0)
    ? { [annotations.capacityOverlayApplied]: 'true' }
    : {}),
});

/** Names the drivers whose devices the node's pods wait for. */
const withDrivers = (given: Readonly<Record<string, string>>, drivers: ReadonlySet<string>): Readonly<Record<string, string>> => ({
  ...given,
  [annotations.requestedDeviceDrivers]: [...drivers].sort().join(),
});

/** The fit's offerings that cost as little as its cheapest and are of the same type, in the order of the catalog. */
const equalsOf = ({ state, cheapest }: Fit): readonly Offering[] => {
  const { offerings, typeOfOffering } = state.template.catalog;
  const { pricePerHour } = offerings[cheapest.offering] ?? {};
  const equallyCheap: Offering[] = [];
  for (let next = cheapest.offering; next >= 0; next = nextBit(state.offerings, next + 1)) {
    const offering = offerings[next];
    if (offering === undefined || offering.pricePerHour !== pricePerHour || typeOfOffering[next] !== cheapest.type) break;
    equallyCheap.push(offering);
  }
  return equallyCheap;
};

/** What will probably be launched. */
const cheapestOf = (fit: Fit, labelCatalog: LabelCatalog): PlannedNode['cheapest'] => {
  const instanceType = fit.state.template.catalog.types[fit.cheapest.type];
  const [offering] = equalsOf(fit).toSorted(zonalFirst(labelCatalog));
  if (instanceType === undefined || offering === undefined) throw new Error('A fit names a type and an offering of its own catalog');
  return { instanceType, offering };
};

const detailsOf = (fit: Fit, { maxInstanceTypes, labelCatalog }: SchedulingPolicy): FitDetails => {
  const { template } = fit.state;
  const { nodePool } = template.pool;
  const all = instanceTypesIn(fit.state, fit.types);
  const asked = relaxMinValues(fit.state.requirements, all);
  const instanceTypes = cheapestVarious(all, asked, maxInstanceTypes);
  return {
    instanceTypes,
    cheapest: cheapestOf(fit, labelCatalog),
    overhead: leastOverhead(template, (type) => hasBit(fit.types, type)),
    labels: { ...chosenLabels(fit), ...fixedLabels(nodePool) },
    annotations: {
      ...nodePool.spec.template.metadata?.annotations,
      ...hashAnnotations(nodePool),
      ...relaxedAnnotation(fit.state, asked),
      ...overlaidAnnotations(instanceTypes),
    },
    requirements: specsOf(claimed(fit, { requirements: asked, labelCatalog }, instanceTypes)),
  };
};

const requestsOf = ({ used, runs }: NewNode, names: readonly string[], overhead: Resources): Resources => {
  const pods: Record<string, number> = {};
  for (const { podClass } of runs) for (const resource of podClass.resourceIds) pods[itemAt(names, resource)] = amountAt(used, resource);
  return addResources(pods, overhead);
};

/** Less the slots, which the claim does not ask for. */
const withoutSlots = (amounts: Resources, slots: ReadonlySet<string>): Resources =>
  slots.size === 0 ? amounts : Object.fromEntries(Object.entries(amounts).filter(([name]) => !slots.has(name)));

/** What the pods on nodes with the same load request together, in numbers and as Kubernetes quantities. */
interface LoadRequests {
  readonly details: FitDetails;
  readonly requests: Resources;
  readonly quantities: Readonly<Record<string, string>>;
}

/** Makes planned nodes of the solved ones. Nodes with the same fit share their details, and nodes with the same load their requests. */
export const nodePlanner = (
  policy: SchedulingPolicy,
  resourceNames: readonly string[],
  slots: ReadonlySet<string>,
): ((newNode: NewNode, pods: readonly Pod[]) => PlannedNode) => {
  const detailsFor = memoByKey((fit: Fit): FitDetails => detailsOf(fit, policy));
  const requestsByLoad = new WeakMap<NewNode['used'], LoadRequests>();
  const requestsFor = (newNode: NewNode, details: FitDetails): LoadRequests => {
    const known = requestsByLoad.get(newNode.used);
    if (known?.details === details) return known;
    const requests = withoutSlots(requestsOf(newNode, resourceNames, details.overhead), slots);
    const fresh = { details, requests, quantities: quantitiesOf(requests) };
    requestsByLoad.set(newNode.used, fresh);
    return fresh;
  };
  return (newNode, pods) => {
    const { nodePool } = newNode.fit.state.template.pool;
    const { template } = nodePool.spec;
    const details = detailsFor(newNode.fit);
    const { requests, quantities } = requestsFor(newNode, details);
    return {
      nodePoolName: nodePool.metadata.name,
      pods,
      instanceTypes: details.instanceTypes,
      cheapest: details.cheapest,
      requests,
      claim: {
        labels: details.labels,
        annotations: newNode.deviceDrivers === undefined ? details.annotations : withDrivers(details.annotations, newNode.deviceDrivers),
        spec: { ...template.spec, requirements: details.requirements, resources: { requests: quantities } },
      },
    };
  };
};

/**
 * Answer for the pending pods: nodes to create, pods for existing nodes, and for each remaining pod why it found no
 * place.
 */
export interface Plan {
  readonly plannedNodes: readonly PlannedNode[];
  /** Node name → pods that will fit there. */
  readonly placements: ReadonlyMap<string, readonly Pod[]>;
  readonly rejections: readonly Rejection[];
  /** Sum over planned nodes of their cheapest offering. */
  readonly pricePerHour: number;
  /**
   * Pods that wait for the next plan, in the order in which they are due; absent where there are none.
   * `policy.postponed` of that plan takes them.
   */
  readonly postponed?: readonly Pod[];
  /** Groups of pods that are placed without some of their preferences; absent where all got theirs. */
  readonly relaxed?: readonly RelaxedPods[];
  /** Objects of the snapshot that could not be read and were ignored; absent where there are none. */
  readonly leftOut?: readonly LeftOut[];
}

/** A machine to create, and the pods that it is for. */
export interface PlannedNode {
  readonly nodePoolName: string;
  readonly pods: readonly Pod[];
  /** Compatible instance types, cheapest first, at most `maxInstanceTypes`; never empty. */
  readonly instanceTypes: readonly InstanceType[];
  /** The cheapest available offering among them that meets the requirements. */
  readonly cheapest: { readonly instanceType: InstanceType; readonly offering: Offering };
  /** Requests of the pods and of the daemon pods that will run there. */
  readonly requests: Resources;
  /** The content of the NodeClaim, ready to be written. */
  readonly claim: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly spec: NodeClaimSpec;
  };
}
