import type { Parsed } from './option.ts';

/** Gates that change what this version does. */
export interface FeatureGates {
  readonly nodeOverlay: boolean;
  readonly reservedCapacity: boolean;
  readonly spotToSpotConsolidation: boolean;
  readonly nodeRepair: boolean;
  readonly staticCapacity: boolean;
  readonly podNomination: boolean;
}

export const defaultFeatureGates: FeatureGates = {
  nodeOverlay: false,
  reservedCapacity: true,
  spotToSpotConsolidation: false,
  nodeRepair: false,
  staticCapacity: false,
  podNomination: false,
};

const fieldOf: ReadonlyMap<string, keyof FeatureGates> = new Map([
  ['NodeOverlay', 'nodeOverlay'],
  ['ReservedCapacity', 'reservedCapacity'],
  ['SpotToSpotConsolidation', 'spotToSpotConsolidation'],
  ['NodeRepair', 'nodeRepair'],
  ['StaticCapacity', 'staticCapacity'],
  ['PodNomination', 'podNomination'],
]);

/** Gates of the original whose features this version does not have: accepted as off, refused as on. */
const notYet: ReadonlySet<string> = new Set(['CapacityBuffer']);

const wanted = 'Name=true or Name=false, separated by commas';

/** Reads `SpotToSpotConsolidation=true,NodeRepair=false`. A gate nobody knows is refused: it would be a misspelling that goes unnoticed. */
export const parseFeatureGates = (text: string): Parsed<FeatureGates> => {
  let gates = defaultFeatureGates;
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value, ...rest] = entry.trim().split('=');
    if ((value !== 'true' && value !== 'false') || rest.length > 0) return { wanted };
    const field = fieldOf.get(name);
    if (field !== undefined) gates = { ...gates, [field]: value === 'true' };
    else if (!notYet.has(name)) return { wanted: `gates that exist; ${name} is none of ${[...fieldOf.keys(), ...notYet].join(', ')}` };
    else if (value === 'true') return { wanted: `a gate that this version has; ${name} can only be false` };
  }
  return { value: gates };
};
