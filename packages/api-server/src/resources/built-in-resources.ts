import kinds from '../../data/built-in-kinds.json' with { type: 'json' };
import typeDefaults from '../../data/type-defaults.json' with { type: 'json' };
import { columnOf, NAME_AND_AGE } from '../columns/column.ts';
import { type JsonObject, textAt } from '../json/json.ts';
import { schemaOfKind } from '../schema/built-in-schemas.ts';
import { decode } from '../schema/decode.ts';
import { structName } from '../schema/go-types.ts';
import type { Schema } from '../schema/schema.ts';
import { eachStruct } from '../schema/wire-form.ts';
import type { FieldReader } from '../store/table.ts';
import { AUTOSCALER_CONVERSION, EVENTS_CONVERSION } from './version-conversions.ts';
import type { Resource, ScalePaths, VersionConversion } from './resource.ts';
import { STRATEGIES } from './strategies/index.ts';
import { fill, fillDeep } from './strategies/pod-defaults.ts';
import type { Strategy } from './strategy.ts';
import { NEW_EVENT_STRATEGY } from './strategies/platform-strategies.ts';

/** What `data/built-in-kinds.json` says of one served version of a kind. */
interface KindRow {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced?: boolean;
  readonly hasStatus?: boolean;
  readonly scales?: boolean;
  readonly answersDeleted?: boolean;
  readonly traits?: Partial<Strategy>;
  /** Filled in where they are missing. */
  readonly defaults?: JsonObject;
  /** The status of a new object. */
  readonly newStatus?: JsonObject;
  /** Paths that a field selector may name; `path|false` where a missing field counts as `false`. */
  readonly fields?: readonly string[];
  /** In the notation of `columnOf`. */
  readonly columns?: readonly string[];
}

const SCALE: ScalePaths = { specReplicas: 'spec.replicas', statusReplicas: 'status.replicas', selector: 'spec.selector' };

const readerOf = (field: string): readonly [string, FieldReader] => {
  const [path = '', missing = ''] = field.split('|');
  return [path, (object) => textAt(object, path) || missing];
};

const CONVERSIONS: Readonly<Record<string, VersionConversion>> = {
  'events.k8s.io/v1 Event': EVENTS_CONVERSION,
  'autoscaling/v1 HorizontalPodAutoscaler': AUTOSCALER_CONVERSION,
};

const NEW_EVENTS = 'events.k8s.io';
const ENDPOINTS_WARNING = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

const groupVersionOf = (apiVersion: string): { readonly group: string; readonly version: string } => {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
};

const resourceOf = ({ apiVersion, kind, plural, ...row }: KindRow): Resource => {
  const { group, version } = groupVersionOf(apiVersion);
  const isNewEvent = group === NEW_EVENTS;
  const schema = schemaOfKind(apiVersion, kind);
  if (schema === undefined) throw new Error(`no schema of ${apiVersion} ${kind}`);
  return {
    ...{ group, version, kind, plural, schema },
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    storage: isNewEvent || group === '' ? plural : `${plural}.${group}`,
    decode: (body) => decode(body, schema),
    conversion: CONVERSIONS[`${apiVersion} ${kind}`],
    warning: kind === 'Endpoints' ? ENDPOINTS_WARNING : undefined,
    custom: false,
    strategy: strategyOf(row, schema, isNewEvent ? NEW_EVENT_STRATEGY : STRATEGIES[kind]),
    ...traitsOf(row),
  };
};

/** Struct → members that it has by default, wherever it stands. */
const TYPE_DEFAULTS: Readonly<Record<string, JsonObject>> = typeDefaults;

const strategyOf = ({ traits, defaults = {}, newStatus }: Partial<KindRow>, schema: Schema, own: Strategy = {}): Strategy => ({
  ...traits,
  ...(newStatus && { prepareCreate: (object) => void (object['status'] = structuredClone(newStatus)) }),
  ...own,
  defaults: (object) => {
    fillDeep(object, defaults);
    own.defaults?.(object);
    eachStruct(object, schema, (struct, type) => fill(struct, TYPE_DEFAULTS[structName(type)] ?? {}));
  },
});

const traitsOf = ({ shortNames = [], categories = [], namespaced = false, hasStatus = false, ...row }: Partial<KindRow>) => ({
  ...{ shortNames, categories, namespaced, hasStatus },
  answersDeleted: row.answersDeleted === true,
  scale: row.scales === true ? SCALE : undefined,
  columns: row.columns?.map(columnOf) ?? NAME_AND_AGE,
  selectable: Object.fromEntries((row.fields ?? []).map(readerOf)),
});

/** Every built-in resource. */
export const BUILT_IN_RESOURCES: readonly Resource[] = (kinds as unknown as readonly KindRow[]).map(resourceOf);
