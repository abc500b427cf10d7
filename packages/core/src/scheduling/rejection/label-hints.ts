import { labels } from '../../apis/index.ts';
import { nearestText } from '../../base/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import { admits } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { Hint } from './hint.ts';
import type { NodeTemplate } from '../places/node-model.ts';

const valuesOf = ({ values }: Requirement): ReadonlySet<string> => (values.kind === 'in' ? values.values : new Set());

const knownValues = new WeakMap<CompiledCatalog, Map<string, ReadonlySet<string>>>();

/** The values of a label that instance types and their offerings have. */
const soldValues = (catalog: CompiledCatalog, key: string): ReadonlySet<string> => {
  const ofCatalog = knownValues.get(catalog) ?? new Map<string, ReadonlySet<string>>();
  knownValues.set(catalog, ofCatalog);
  const known = ofCatalog.get(key);
  if (known !== undefined) return known;
  const values = new Set<string>();
  for (const { requirements } of [...catalog.types, ...catalog.offerings]) {
    const own = requirements.get(key);
    if (own !== undefined) for (const value of valuesOf(own)) values.add(value);
  }
  ofCatalog.set(key, values);
  return values;
};

/** The values of a label that nodes of the pool may have, where they can be listed. */
const offeredValues = ({ catalog, requirements }: NodeTemplate, key: string): readonly string[] => {
  const own = requirements.get(key);
  const sold = [...soldValues(catalog, key)];
  if (own === undefined) return sold;
  return sold.length === 0 ? [...valuesOf(own)] : sold.filter((value) => admits(own, value));
};

const isKnown = (key: string, templates: readonly NodeTemplate[]): boolean =>
  templates.some(({ requirements, wellKnown }) => requirements.has(key) || wellKnown.has(key));

const nearestOf = (text: string, known: Iterable<string>): { readonly nearest?: string } => {
  const nearest = nearestText(text, known);
  return nearest === undefined ? {} : { nearest };
};

/** What a pod's labels are compared with. */
interface Offer {
  readonly templates: readonly NodeTemplate[];
  /** Every pool that the pod may name, those that launch nothing too. */
  readonly poolNames: ReadonlySet<string>;
}

const hintFor = (wanted: Requirement, { templates, poolNames }: Offer): Hint | undefined => {
  const { key, values, mayBeAbsent } = wanted;
  if (mayBeAbsent) return undefined;
  if (!isKnown(key, templates)) {
    const keys = templates.flatMap(({ requirements, wellKnown }) => [...requirements.keys(), ...wellKnown]);
    return { kind: 'unknown-label', key, ...nearestOf(key, new Set(keys)) };
  }
  if (values.kind !== 'in') return undefined;
  const offered = [...new Set(templates.flatMap((template) => offeredValues(template, key)))].sort();
  const existing = key === labels.nodePool ? [...offered, ...poolNames] : offered;
  if (offered.length === 0 || existing.some((value) => values.values.has(value))) return undefined;
  const [first = ''] = values.values;
  return { kind: 'unknown-value', key, values: [...values.values].sort(), offered, ...nearestOf(first, offered) };
};

/** A person reads no more than so many, and each costs a search for the name that was meant. */
const MOST_HINTS = 8;

/** The first hints for one alternative. */
const hintsFor = (wanted: Requirements, offer: Offer): readonly Hint[] => {
  const hints: Hint[] = [];
  for (const requirement of wanted.values()) {
    const hint = hints.length < MOST_HINTS ? hintFor(requirement, offer) : undefined;
    if (hint !== undefined) hints.push(hint);
  }
  return hints;
};

/**
 * Hints for labels and values that no pool has. None if one of the pod's alternatives asks for nothing unknown: then
 * that one failed for another reason.
 */
export const labelHints = (alternatives: readonly Requirements[], offer: Offer): readonly Hint[] => {
  const found = new Map<string, Hint>();
  for (const wanted of alternatives) {
    const hints = hintsFor(wanted, offer);
    if (hints.length === 0) return [];
    for (const hint of hints) if (found.size < MOST_HINTS) found.set(JSON.stringify(hint), hint);
  }
  return [...found.values()];
};
