import type { OptionValue } from './option-reader.ts';

/** The name becomes the value of a label. */
const GROUP =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/capacityReservationGroups\/[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/i;

const WANTED =
  'ARM ids of Microsoft.Compute/capacityReservationGroups, separated by commas, each once, with names of at most 63 characters';

/** Reads ids of groups. Those of other subscriptions cannot be read there. */
export const reservationGroups =
  (subscriptionId: string) =>
  (text: string): OptionValue<readonly string[]> => {
    const ids = text.split(',').map((id) => id.trim());
    const broken = ids.find((id) => !GROUP.test(id));
    if (broken !== undefined) return { wanted: `${WANTED}; ${JSON.stringify(broken)} is none` };
    if (new Set(ids.map((id) => id.toLowerCase())).size < ids.length) return { wanted: `${WANTED}; one is there twice` };
    const isForeign = (id: string): boolean => GROUP.exec(id)?.[1]?.toLowerCase() !== subscriptionId.toLowerCase();
    const foreign = subscriptionId === '' ? undefined : ids.find(isForeign);
    return foreign === undefined
      ? { value: ids }
      : { wanted: `groups of the subscription ${subscriptionId}; ${JSON.stringify(foreign)} is in another one` };
  };
