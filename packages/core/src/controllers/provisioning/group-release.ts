import { deleteNodeClaim } from '../../actions/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { incompleteGroups } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';
import { commandRecordOf } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

const WINDOW_MS = 15 * 60_000;
/** Each release deletes machines before any pod ran on them. */
const MOST_IN_WINDOW = 5;

/** None for a replacement of another node: the pods of that one come later. */
const claimForPods = ({ claim }: NodeView): readonly NodeClaim[] =>
  claim === undefined || commandRecordOf(claim) !== undefined ? [] : [claim];

/**
 * Deletes the in-flight nodes of pod groups that do not get all their places. A group has all its nodes or none, and
 * can get them where there is stock. A group loses its nodes at most five times in 15 minutes. Later ones stay, as do
 * nodes on which a member runs, and replacements of other nodes.
 */
export class GroupRelease {
  readonly #shell: Shell;
  /** Group → when it last lost its nodes (epoch ms). */
  readonly #released = new Map<string, readonly number[]>();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Whether a group was released: its pods then wait for another plan. */
  async after(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<boolean> {
    const nowMs = this.#shell.clock.now();
    const groups = incompleteGroups(plan, snapshot)
      .map(({ name, nodes }) => ({ name, claims: nodes.flatMap(claimForPods) }))
      .filter(({ name, claims }) => claims.length > 0 && this.#mayRelease(name, nowMs));
    for (const { name, claims } of groups) {
      this.#released.set(name, [...(this.#released.get(name) ?? []), nowMs]);
      for (const claim of claims) await deleteNodeClaim(this.#shell, claim, { reason: 'incomplete_group', signal });
    }
    return groups.length > 0;
  }

  #mayRelease(name: string, nowMs: number): boolean {
    for (const [group, timesMs] of this.#released) {
      const recent = timesMs.filter((ms) => nowMs - ms < WINDOW_MS);
      if (recent.length === 0) this.#released.delete(group);
      else this.#released.set(group, recent);
    }
    return (this.#released.get(name)?.length ?? 0) < MOST_IN_WINDOW;
  }
}
