import type { StorageView } from '../../cluster/index.ts';
import { claimedVolumesOf } from '../../kube/index.ts';
import type { ClaimedVolume, Pod } from '../../kube/index.ts';
import { MOST_OF_VOLUMES, alternativesOfClass, alternativesOfVolume, isRefused, unitsOfPairs } from './volume-alternatives.ts';
import type { Alternatives, ReadAlternatives } from './volume-alternatives.ts';
import type { ClaimContext } from './claim-needs.ts';
import { claimOf, classNameOf } from './volume-claims.ts';

/** Units of looking up one claim. */
const UNITS_A_CLAIM = 15;
/** What one way to combine volumes costs later on: places are searched for in each. */
const UNITS_A_WAY = 10;

const alternativesBehind = (claimed: ClaimedVolume, { storage, catalog }: ClaimContext): ReadAlternatives | undefined => {
  const claim = claimOf(claimed, storage);
  if (claim === undefined) return undefined;
  const { volumeName = '' } = claim.spec ?? {};
  if (volumeName !== '') {
    const volume = storage.volumes.get(volumeName);
    return volume && alternativesOfVolume(volume, catalog);
  }
  const storageClass = storage.classes.get(classNameOf(claim, storage) ?? '');
  return storageClass && alternativesOfClass(storageClass, catalog);
};

const waysOf = (claimed: readonly ClaimedVolume[], context: ClaimContext): number => {
  const seen = new Set<Alternatives>();
  let ways = 1;
  for (const each of claimed) {
    const alternatives = alternativesBehind(each, context);
    if (alternatives === undefined || isRefused(alternatives) || seen.has(alternatives)) continue;
    seen.add(alternatives);
    ways = Math.min(ways * Math.max(1, alternatives.length), MOST_OF_VOLUMES / unitsOfPairs(1, 1));
  }
  return ways;
};

const NO_STORAGE: StorageView = { claims: new Map(), volumes: new Map(), classes: new Map() };

/**
 * Pod → the most units that its volumes cost before they are combined: for each claim, and each choice of one node
 * selector term per volume. Each volume is read once in its life.
 */
export const volumeWorkReader = ({ storage = NO_STORAGE, catalog }: Partial<ClaimContext> & Pick<ClaimContext, 'catalog'>) => {
  const context = { storage, catalog };
  return (pod: Pod): number => {
    if (pod.spec.volumes === undefined) return 0;
    const claimed = claimedVolumesOf(pod);
    const ways = waysOf(claimed, context);
    return claimed.length * UNITS_A_CLAIM + (ways - 1) * (unitsOfPairs(1, 1) + UNITS_A_WAY);
  };
};
