import type { JsonObject } from '../json/json.ts';
import type { VersionConversion } from './resource.ts';

/** Names in events.k8s.io/v1 → names in core/v1, where the same events are stored. */
const NAMES: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

const renamed = (object: JsonObject, names: ReadonlyMap<string, string>, apiVersion: string): JsonObject => ({
  ...Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value])),
  apiVersion,
});

const TO_CORE = new Map(NAMES);
const FROM_CORE = new Map(NAMES.map(([mine, core]) => [core, mine]));

/** Events of events.k8s.io/v1 as core/v1 events and back. */
export const EVENTS_CONVERSION: VersionConversion = {
  toStored: (object) => renamed(object, TO_CORE, 'v1'),
  fromStored: (object) => renamed(object, FROM_CORE, 'events.k8s.io/v1'),
};
