import type { NodeClaim } from '../../../apis/index.ts';
import { resourcesOf } from '../../../kube/index.ts';
import type { Node, ResourceList } from '../../../kube/index.ts';

/** Of what the cloud promised a node must have so much. */
const LEAST_SHARE = 0.9;

/**
 * The requested resources that a node has far less of than its claim's capacity states, as a message; undefined when
 * there are none. Source: the original's `pkg/controllers/nodeclaim/consistency/nodeshape.go`.
 */
export const inconsistencyOf = ({ spec, status }: NodeClaim, node: Node): string | undefined => {
  const promised = resourcesOf(status?.capacity);
  const has = resourcesOf(node.status?.capacity);
  const wanted = Object.entries(resourcesOf(spec.resources?.requests)).filter(([, amount]) => amount > 0);
  const short = wanted.filter(([name]) => (has[name] ?? 0) < LEAST_SHARE * (promised[name] ?? 0)).map(([name]) => name);
  if (short.length === 0) return undefined;
  const text = (amounts: ResourceList | undefined, name: string): string => String(amounts?.[name] ?? '0');
  return short
    .sort()
    .map((name) => `expected ${text(status?.capacity, name)} of resource ${name}, but found ${text(node.status?.capacity, name)}`)
    .join('; ');
};
