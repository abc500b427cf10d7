import { merge } from '../../requirements/index.ts';
import type { Requirement } from '../../requirements/index.ts';
import type { Draft } from '../places/drafts/draft.ts';
import { internState } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import type { Topology } from '../topology/topology.ts';
import { isTiedToHost } from './host-rules.ts';

/** Nodes of a pool between which pods may change places freely: only the rules about hosts have to be seen to. */
export interface Ward {
  readonly drafts: readonly Draft[];
  /** What a node of the ward is before any pod. */
  readonly start: NodeState;
  /** Whether a node of this state belongs to the ward. */
  readonly isAllowed: (state: NodeState) => boolean;
}

/** Whether some pod may not leave the others on its node: for what it is told, or for what it wishes. */
const isTied = ({ runs }: Draft): boolean => runs.some(({ podClass: { topology } }) => topology !== undefined && isTiedToHost(topology));

const isFree = ({ runs }: Draft): boolean => runs.every(({ podClass }) => podClass.topology === undefined);

/** The initial state with the domains settled that are settled in this one. */
const settledLike = ({ requirements }: NodeState, template: NodeTemplate, topologyKeys: readonly string[]): NodeState | undefined => {
  const settled = topologyKeys.flatMap((key): readonly (readonly [string, Requirement])[] => {
    const own = requirements.get(key);
    return own?.values.kind === 'in' && own.values.values.size === 1 ? [[key, own]] : [];
  });
  return internState(template, merge(template.requirements, new Map(settled)));
};

/** The wards of nodes that care about others: one for each standing. */
const wardsByStanding = (drafts: readonly Draft[], template: NodeTemplate, topology: Topology): readonly Ward[] => {
  const wards = new Map<string, Ward & { readonly drafts: Draft[] }>();
  for (const draft of drafts) {
    const standing = topology.standingOf(draft.fit.state);
    const known = wards.get(standing);
    const start = known?.start ?? settledLike(draft.fit.state, template, topology.domains.keys);
    if (known !== undefined) known.drafts.push(draft);
    else if (start !== undefined) {
      wards.set(standing, { start, drafts: [draft], isAllowed: (state) => topology.standingOf(state) === standing });
    }
  }
  return [...wards.values()];
};

const anywhere = (): boolean => true;

/**
 * The wards of a pool's planned nodes; those in none, such as those out of a reservation, stay as they are. Nodes on which nobody cares where others are make one ward;
 * of the others those do that have the same domains and that the same spreads count, so that no count but those of hosts changes.
 */
export const wardsOf = (all: readonly Draft[], template: NodeTemplate, topology: Topology | undefined): readonly Ward[] => {
  const { initial } = template;
  // Packing anew fills nodes to the brim, and full nodes have few types to choose among.
  if (initial === undefined || template.prefersMinValues) return [];
  const drafts = all.filter((draft) => draft.fit.state.template === template && !isTied(draft));
  const free = drafts.filter(isFree);
  const open: readonly Ward[] = free.length === 0 ? [] : [{ drafts: free, start: initial, isAllowed: anywhere }];
  const others = drafts.filter((draft) => !isFree(draft));
  return topology === undefined ? open : [...open, ...wardsByStanding(others, template, topology)];
};
