import type { Command } from '../../disruption/index.ts';
import type { CommandSummary } from '../../ports/index.ts';
import { commandRecordOf, isSameTaint, keyOfClaim, machineKeyOf } from '../../state/index.ts';
import type { ClusterState, CommandRecord, MachineKey } from '../../state/index.ts';
import { disruptedTaint, nodeClaimConditions } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { conditionOf, isConditionTrue, isReschedulable } from '../../kube/index.ts';
import { compareText } from '../../base/index.ts';
import type { SchedulingPolicy } from '../../scheduling/index.ts';
import type { Decisions, Shell } from '../shell.ts';

/**
 * A command in progress: proposed and waiting for validation; being started by the pass that found it; waiting for its
 * replacements; or called off and being undone.
 */
export interface CommandRun {
  /** The command as reports show it. */
  readonly summary: CommandSummary;
  readonly startedMs: number;
  /** See `Command.targets`; absent also where another process began the run. */
  readonly targets?: readonly string[] | undefined;
  readonly stage:
    | { readonly kind: 'validating'; readonly untilMs: number; readonly command: Command }
    | { readonly kind: 'starting' }
    | { readonly kind: 'replacing'; readonly claimNames: readonly string[] }
    | { readonly kind: 'called-off'; readonly why: string };
}

const candidateKeysOf = ({ summary }: CommandRun): readonly MachineKey[] => summary.candidates.map(machineKeyOf);

/** The command as reports show it. */
export const commandSummaryOf = (command: Command, id: string): CommandSummary => ({
  id,
  method: command.method,
  reason: command.reason,
  decision: command.decision,
  candidates: command.candidates.map(({ node }) => node),
  replacements: command.replacements,
  savingsPerHour: command.savingsPerHour,
});

/** The command as its replacements record it. */
export const recordOf = ({ summary, startedMs }: CommandRun): CommandRecord => {
  const { id, method, reason, candidates, replacements, savingsPerHour } = summary;
  const names = candidates.flatMap(({ claim }) => claim?.metadata.name ?? []);
  return { id, method, reason, startedMs, candidates: names, replacements: replacements.length, savingsPerHour };
};

/** A drain that takes longer holds no target: what a PodDisruptionBudget keeps may never come. */
const LONGEST_DRAIN_MS = 10 * 60_000;

/** A run that has deleted its nodes. */
interface Drain {
  readonly run: CommandRun;
  readonly untilMs: number;
}

/**
 * The commands in progress. Those with replacements survive a restart, because they are recorded on these
 * (`orphanedRuns`); the nodes of others lose their taint at the next start. While a command waits for its replacements,
 * state counts its nodes as on their way out.
 */
export class CommandRuns {
  readonly #runs = new Map<string, CommandRun>();
  readonly #draining = new Set<Drain>();
  readonly #state: Pick<ClusterState, 'exchanges' | 'podsOn'>;

  constructor(state: Pick<ClusterState, 'exchanges' | 'podsOn'>) {
    this.#state = state;
  }

  /** Adds a run, or replaces it by its next stage. */
  set(run: CommandRun): void {
    const { stage } = run;
    const { id } = run.summary;
    this.#runs.set(id, run);
    if (stage.kind !== 'replacing') this.#state.exchanges.end(id);
    else this.#state.exchanges.begin(id, { leaving: new Set(candidateKeysOf(run)), coming: new Set(stage.claimNames.map(keyOfClaim)) });
  }

  delete(run: CommandRun): void {
    this.#runs.delete(run.summary.id);
    this.#state.exchanges.end(run.summary.id);
  }

  /** The run has deleted its nodes: its targets are kept until the pods have left. */
  finish(run: CommandRun, nowMs: number): void {
    this.delete(run);
    this.#draining.add({ run, untilMs: nowMs + LONGEST_DRAIN_MS });
  }

  get(id: string): CommandRun | undefined {
    return this.#runs.get(id);
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#runs.keys());
  }

  list(): readonly CommandRun[] {
    return [...this.#runs.values()];
  }

  /** Machines that some run is about to remove. */
  machines(): ReadonlySet<MachineKey> {
    return new Set(this.list().flatMap(candidateKeysOf));
  }

  /** Names of the nodes for which pods of some run are planned and not all have moved. */
  targets(nowMs: number): ReadonlySet<string> {
    for (const drain of this.#draining) if (nowMs >= drain.untilMs || !this.#hasPodsLeft(drain.run)) this.#draining.delete(drain);
    const runs = [...this.list(), ...Array.from(this.#draining, ({ run }) => run)];
    return new Set(runs.flatMap(({ targets = [] }) => targets));
  }

  /**
   * Machines that leave before those of a run that is validated: those of runs that have started, and of runs
   * proposed earlier, which its plan counts on. A run proposed later is validated later, against what became of this
   * one: counting it here would refuse both.
   */
  machinesBefore(validated: CommandRun): ReadonlySet<MachineKey> {
    const runs = this.list();
    const position = runs.findIndex(({ summary }) => summary.id === validated.summary.id);
    const before = runs.filter((run, index) => index !== position && (index < position || run.stage.kind !== 'validating'));
    return new Set(before.flatMap(candidateKeysOf));
  }

  #hasPodsLeft({ summary }: CommandRun): boolean {
    return summary.candidates.some(({ name }) => this.#state.podsOn(name).some(isReschedulable));
  }
}

/** Machines on their way out: marked for deletion, or candidates of a command. */
export const departing = (nodes: readonly NodeView[], commanded: ReadonlySet<MachineKey>): ReadonlySet<MachineKey> =>
  new Set([...commanded, ...nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion).map(machineKeyOf)]);

/** Whether one of `awaited` is gone, so that its share of the budget is free again. */
export const hasDeparted = (awaited: ReadonlySet<MachineKey>, nodes: readonly NodeView[]): boolean => {
  if (awaited.size === 0) return false;
  const present = new Set(nodes.map(machineKeyOf));
  return [...awaited].some((machine) => !present.has(machine));
};

/** Nodes with the taint or the condition of a command that is no longer in progress: a process crashed, or a write failed. */
export const nodesWithStaleTaints = (nodes: readonly NodeView[], running: ReadonlySet<MachineKey>): readonly NodeView[] =>
  nodes.filter(
    (node) =>
      node.claim !== undefined &&
      !node.isMarkedForDeletion &&
      !running.has(machineKeyOf(node)) &&
      (node.taints.some((taint) => isSameTaint(taint, disruptedTaint)) ||
        conditionOf(node.claim.status?.conditions, nodeClaimConditions.disruptionReason) !== undefined),
  );

interface Recorded {
  readonly record: CommandRecord;
  readonly claims: readonly NodeClaim[];
}

/** Records by command, each with the replacements that carry it. */
const recordedIn = (nodes: readonly NodeView[]): readonly Recorded[] => {
  const found = new Map<string, Recorded>();
  for (const { claim, isMarkedForDeletion } of nodes) {
    if (claim === undefined || isMarkedForDeletion) continue;
    const record = commandRecordOf(claim);
    if (record !== undefined) found.set(record.id, { record, claims: [...(found.get(record.id)?.claims ?? []), claim] });
  }
  return [...found.values()];
};

const isClosed = ({ claim }: NodeView): boolean => isConditionTrue(claim?.status?.conditions, nodeClaimConditions.disruptionReason);

/** Whether every replacement exists and every candidate is tainted. */
const isComplete = ({ record, claims }: Recorded, candidates: readonly NodeView[]): boolean =>
  claims.length === record.replacements && candidates.every(isClosed);

const runOf = (recorded: Recorded, candidates: readonly NodeView[]): CommandRun => {
  const { record, claims } = recorded;
  const { id, method, reason, startedMs, savingsPerHour } = record;
  const claimNames = claims.map(({ metadata }) => metadata.name).sort(compareText);
  return {
    summary: { id, method, reason, decision: 'replace', candidates, replacements: [], savingsPerHour },
    startedMs,
    stage: isComplete(recorded, candidates) ? { kind: 'replacing', claimNames } : { kind: 'called-off', why: 'replacement-gone' },
  };
};

/**
 * Commands of a process that died, as long as some of their candidates are not on their way out. A command continues if
 * all its replacements exist and all its candidates are tainted; any other was only half started, or being called off,
 * and is called off. `known`: ids of commands in progress here.
 */
export const orphanedRuns = (nodes: readonly NodeView[], known: ReadonlySet<string>): readonly CommandRun[] => {
  const recorded = recordedIn(nodes).filter(({ record }) => !known.has(record.id));
  if (recorded.length === 0) return [];
  const byClaim = new Map(nodes.map((node) => [node.claim?.metadata.name, node]));
  return recorded.flatMap((each) => {
    const staying = each.record.candidates.flatMap((name) => byClaim.get(name) ?? []).filter((node) => !node.isMarkedForDeletion);
    return staying.length > 0 ? [runOf(each, staying)] : [];
  });
};

export interface DisruptionOptions {
  readonly policy: SchedulingPolicy;
  readonly spotToSpot: boolean;
  /** Longest time that each method takes in one pass; it evaluates one candidate at least. */
  readonly passMs: number;
  /** How long an opportunity to consolidate must last before it is taken. */
  readonly validationMs: number;
}

/** What both disruption controllers need. */
export interface DisruptionDeps {
  readonly shell: Shell;
  readonly decisions: Decisions;
  readonly options: DisruptionOptions;
  readonly runs: CommandRuns;
}
