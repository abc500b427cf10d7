import { nearestText } from '../../base/index.ts';
import { quantitiesOf } from '../../kube/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { Hint } from './hint.ts';
import type { NodeTemplate } from '../places/node-model.ts';

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
  return { meant: resource === 'cpu' ? `${meant}m` : (quantitiesOf({ [resource]: meant })[resource] ?? '') };
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
