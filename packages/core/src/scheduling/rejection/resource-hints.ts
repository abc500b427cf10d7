import { nearestText } from '../../base/index.ts';
import { quantitiesOf } from '../../kube/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { Hint } from './hint.ts';
import type { NodeTemplate } from '../places/node-template.ts';

/** From so much on no machine is meant: `500` cpu were to be `500m`, `100M` were to be `100m`, thousands of `Gi` were to be `Mi`. */
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

/** Resources of which no instance type of any pool has enough, or any, beside its daemon pods. */
export const resourceHints = ({ resourceIds, amounts, unknownResource }: PodClass, templates: readonly NodeTemplate[]): readonly Hint[] => {
  const [{ resourceNames } = { resourceNames: [] }] = templates;
  if (unknownResource !== undefined) {
    const nearest = nearestText(unknownResource, resourceNames);
    return [{ kind: 'unknown-resource', resource: unknownResource, ...(nearest === undefined ? {} : { nearest }) }];
  }
  // Where nothing is on sale that is the reason, not each resource of the pod.
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
