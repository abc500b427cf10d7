import { unreachable } from '../../base/index.ts';
import { quantitiesOf } from '../../kube/index.ts';
import type { Hint } from './hint.ts';

const SHOWN = 5;

/** At most five of them: `a, b, c, d, e and 7 others`. */
export const listText = (values: readonly string[]): string => {
  const rest = values.length - SHOWN;
  return `${values.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}`;
};

/** An amount as people say it: whole cpus and their fractions (`1.5`), else as Kubernetes writes it (`2Gi`, `110`). */
export const amountText = (resource: string, amount: number): string =>
  resource === 'cpu' ? String(amount / 1000) : (quantitiesOf({ [resource]: amount })[resource] ?? '');

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
      return `no NodePool allows ${hint.key} ${listText(hint.values)}, only ${listText(hint.offered)}${didYouMean(hint.nearest)}`;
    default:
      return unreachable(hint);
  }
};
