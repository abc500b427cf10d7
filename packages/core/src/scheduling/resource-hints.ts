import { nearestText } from '../base/index.ts';
import { quantitiesOf } from '../kube/index.ts';
import type { PodClass } from './classes/pod-class.ts';
import type { Hint } from './hint.ts';
import type { NodeTemplate } from './places/node-template.ts';

/** From so much on no machine is meant: `1000` cpu was to be `1000m`, thousands of `Gi` were to be `Mi`. */
const SLIPS: Readonly<Record<string, { readonly from: number; readonly by: number }>> = {
  cpu: { from: 1000 * 1000, by: 1000 },
  memory: { from: 64 * 1024 ** 4, by: 1024 },
};

const meantOf = (resource: string, wanted: number, most: number): { readonly meant?: string } => {
  const slip = SLIPS[resource];
  const isSlip = slip !== undefined && wanted >= slip.from && wanted / slip.by <= most;
  if (!isSlip) return {};
  return { meant: resource === 'cpu' ? `${wanted / slip.by}m` : (quantitiesOf({ [resource]: wanted / slip.by })[resource] ?? '') };
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
