import { nearestText, unreachable } from '../../base/index.ts';
import { quantityOfAmount } from '../../kube/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { Hint } from './rejection.ts';
import type { NodeTemplate } from '../nodes/node-model.ts';
import { labels } from '../../apis/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import { admits } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';

/**
 * Amounts too large for any machine, and the slip behind each: `500` cpu for `500m`, `100M` for `100m`, thousands of
 * `Gi` for `Mi`.
 */
const SLIPS: readonly { readonly resource: string; readonly from: number; readonly by: number }[] = [
  { resource: 'cpu', from: 250 * 1000, by: 1000 },
  { resource: 'cpu', from: 1_000_000 * 1000, by: 1e9 },
  { resource: 'memory', from: 64 * 1024 ** 4, by: 1024 },
];

const meantOf = (resource: string, wanted: number, most: number): { readonly meant?: string } => {
  const slip = SLIPS.find((each) => each.resource === resource && wanted >= each.from && wanted / each.by <= most);
  if (slip === undefined) return {};
  const meant = wanted / slip.by;
  return { meant: resource === 'cpu' ? `${meant}m` : quantityOfAmount(resource, meant) };
};

/** Hints for resources that no instance type of any pool has, or has enough of, beside its daemon pods. */
export const resourceHints = ({ resourceIds, amounts, unknownResource }: PodClass, templates: readonly NodeTemplate[]): readonly Hint[] => {
  const [{ resourceNames } = { resourceNames: [] }] = templates;
  if (unknownResource !== undefined) {
    const nearest = nearestText(unknownResource, resourceNames);
    return [{ kind: 'unknown-resource', resource: unknownResource, ...(nearest === undefined ? {} : { nearest }) }];
  }
  // Where no pool offers any type, that is the reason, not the pod's resources.
  if (templates.every(({ catalog }) => catalog.types.length === 0)) return [];
  return [...resourceIds].flatMap((resource, i): readonly Hint[] => {
    const [name = '', wanted = 0] = [resourceNames[resource], amounts[i]];
    const most = templates.reduce((sum, { columns }) => columns[resource]?.amounts.reduce((a, b) => Math.max(a, b), sum) ?? sum, 0);
    if (wanted <= most) return [];
    return most === 0
      ? [{ kind: 'unknown-resource', resource: name }]
      : [{ kind: 'too-large', resource: name, wanted, most, ...meantOf(name, wanted, most) }];
  });
};

const valuesOf = ({ values }: Requirement): ReadonlySet<string> => (values.kind === 'in' ? values.values : new Set());

/** The values of a label that instance types and their offerings have. */
const soldValues = (catalog: CompiledCatalog, key: string): readonly string[] => [
  ...new Set([...catalog.typesListing(key).keys(), ...catalog.offeringsListing(key).keys()]),
];

/** The values of a label that nodes of the pool may have, where they can be listed. */
const offeredValues = ({ catalog, requirements }: NodeTemplate, key: string): readonly string[] => {
  const own = requirements.get(key);
  const sold = soldValues(catalog, key);
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
  // The name of a new node is nothing to look for.
  if (mayBeAbsent || key === labels.hostname) return undefined;
  if (!isKnown(key, templates)) {
    const keys = templates.flatMap(({ requirements, wellKnown }) => [...requirements.keys(), ...wellKnown]);
    return { kind: 'unknown-label', key, ...nearestOf(key, new Set(keys)) };
  }
  if (values.kind !== 'in') return undefined;
  const known = key === labels.nodePool ? poolNames : templates.flatMap((template) => offeredValues(template, key));
  const offered = [...new Set(known)].sort();
  if (offered.length === 0 || offered.some((value) => values.values.has(value))) return undefined;
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

const SHOWN = 5;

/** At most five of them: `a, b, c, d, e and 7 others`. */
export const listText = (values: readonly string[]): string => {
  const rest = values.length - SHOWN;
  return `${values.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}`;
};

/** An amount as people say it: whole cpus and their fractions (`1.5`), else as Kubernetes writes it (`2Gi`, `110`). */
export const amountText = (resource: string, amount: number): string =>
  resource === 'cpu' ? String(amount / 1000) : quantityOfAmount(resource, amount);

const didYouMean = (nearest: string | undefined): string => (nearest === undefined ? '' : `; did you mean ${nearest}?`);

/** What would help, as people read it. */
export const hintText = (hint: Hint): string => {
  switch (hint.kind) {
    case 'too-large': {
      const { resource, wanted, most, meant } = hint;
      const written = amountText(resource, wanted);
      const slip = meant === undefined ? '' : `; looks like ${written} was meant as ${meant}`;
      return `it asks for ${written} ${resource}, and no instance type has more than ${amountText(resource, most)} for pods${slip}`;
    }
    case 'unknown-resource':
      return `no instance type has ${hint.resource}${didYouMean(hint.nearest)}`;
    case 'unknown-label':
      return `no NodePool sets the label ${hint.key}${didYouMean(hint.nearest)}`;
    case 'unknown-value':
      if (hint.values.length === 0) return `no label can have the required value of ${hint.key}; NodePools allow ${listText(hint.offered)}`;
      return `no NodePool allows ${hint.key} ${listText(hint.values)}, only ${listText(hint.offered)}${didYouMean(hint.nearest)}`;
    default:
      return unreachable(hint);
  }
};
