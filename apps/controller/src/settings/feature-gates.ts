import { duplicateNames } from './duplicate-names.ts';
import type { Parsed } from './option.ts';

/**
 * Gates that change what this version does.
 * Differs: `CapacityBuffer` is on, in the original it is off; `PodNomination` and `RebalancePlan` are of our own.
 */
export interface FeatureGates {
  readonly capacityBuffer: boolean;
  readonly nodeOverlay: boolean;
  readonly reservedCapacity: boolean;
  readonly spotToSpotConsolidation: boolean;
  readonly nodeRepair: boolean;
  readonly staticCapacity: boolean;
  readonly podNomination: boolean;
  readonly rebalancePlan: boolean;
}

export const defaultFeatureGates: FeatureGates = {
  capacityBuffer: true,
  nodeOverlay: false,
  reservedCapacity: true,
  spotToSpotConsolidation: false,
  nodeRepair: false,
  staticCapacity: false,
  podNomination: false,
  rebalancePlan: false,
};

const fieldOf: ReadonlyMap<string, keyof FeatureGates> = new Map([
  ['CapacityBuffer', 'capacityBuffer'],
  ['NodeOverlay', 'nodeOverlay'],
  ['ReservedCapacity', 'reservedCapacity'],
  ['SpotToSpotConsolidation', 'spotToSpotConsolidation'],
  ['NodeRepair', 'nodeRepair'],
  ['StaticCapacity', 'staticCapacity'],
  ['PodNomination', 'podNomination'],
  ['RebalancePlan', 'rebalancePlan'],
]);

/** As a person writes them. */
export const featureGateNames = [...fieldOf.keys()];

/** The gates that are on by themselves, as a person writes them. */
export const defaultFeatureGatesText = [...fieldOf]
  .flatMap(([name, field]) => (defaultFeatureGates[field] ? `${name}=true` : []))
  .join(',');

const wanted = 'Name=true or Name=false, separated by commas';

/** What one entry switches, or what would have been right. */
const parseGate = (entry: string): Parsed<Partial<FeatureGates>> => {
  const [name = '', value, ...rest] = entry.trim().split('=');
  if ((value !== 'true' && value !== 'false') || rest.length > 0) return { wanted };
  const field = fieldOf.get(name);
  if (field === undefined) return { wanted: `gates that exist; ${name} is none of ${featureGateNames.join(', ')}` };
  return { value: { [field]: value === 'true' } };
};

/**
 * Reads `SpotToSpotConsolidation=true,NodeRepair=false`. A gate nobody knows is refused: it would be a misspelling that
 * goes unnoticed; so is one that is named twice. Differs: the original ignores the former, and takes the last of the
 * latter.
 */
export const parseFeatureGates = (text: string): Parsed<FeatureGates> => {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const parsed = entries.map(parseGate);
  const accepted = new Set(parsed.flatMap((each) => ('wanted' in each ? each.wanted : [])));
  if (accepted.size > 0) return { wanted: [...accepted].join(', and ') };
  const twice = duplicateNames(entries.map((entry) => entry.trim().split('=')[0] ?? ''));
  if (twice.length > 0) return { wanted: `each gate once; ${twice.join(', ')} is there more often` };
  return { value: parsed.reduce((gates, each) => ({ ...gates, ...('value' in each ? each.value : {}) }), defaultFeatureGates) };
};
