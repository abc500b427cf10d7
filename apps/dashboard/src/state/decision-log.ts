import { countText, podAndOthers } from '@karpenter/cli/amounts';
import { relaxedGroupOf } from '@karpenter/cli/answers';
import { labels, type Plan } from '@karpenter/core';
import type { CommandSummary, Decision } from '@karpenter/core/internal';
import { errorMessage } from '@karpenter/runtime';
import type { DecisionRow } from './dashboard-state.ts';

const MOST_ROWS = 100;

type Row = Omit<DecisionRow, 'atMs'>;
type Of<K extends Decision['kind']> = Extract<Decision, { readonly kind: K }>;
/** What a decision adds to the log, or changes of a row that is there (same id). */
type Rows = { readonly [K in Decision['kind']]?: (decision: Of<K>) => Partial<Row> & Pick<Row, 'id'> };

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
const namesOf = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;

const commandTitle = ({ decision, candidates, replacements }: CommandSummary): string => {
  const nodes = namesOf(candidates.map(({ name, labels: has }) => `${name} (${has[labels.instanceType] ?? '?'})`));
  if (decision === 'delete') return `Delete ${nodes}`;
  return `Replace ${nodes} by ${namesOf(replacements.map(({ cheapest }) => cheapest.instanceType.name))}`;
};

const RELAXED_SHOWN = 20;

const relaxedOf = ({ relaxed = [] }: Plan): Pick<DecisionRow, 'relaxed'> => {
  if (relaxed.length === 0) return {};
  const lines = relaxed.slice(0, RELAXED_SHOWN).map((group) => {
    const { pod, pods, why } = relaxedGroupOf(group);
    return `${podAndOthers(pod, pods)}: ${why.join('; ')}`;
  });
  const rest = relaxed.length - lines.length;
  return { relaxed: rest === 0 ? lines : [...lines, `and ${countText(rest, 'other group')} of pods`] };
};

const planTitle = ({ plan, pods }: Of<'plan-computed'>): string => {
  const refused = plan.rejections.length === 0 ? '' : `, ${countText(plan.rejections.length, 'pod')} without a place`;
  return `Plan ${countText(pods, 'pending pod')}: ${countText(plan.plannedNodes.length, 'new node')}${refused}`;
};

const rows: Rows = {
  'plan-computed': (decision) => ({
    // The same plan again is the same row: pods that fit nowhere are planned every few seconds.
    id: `plan ${planTitle(decision)}`,
    title: planTitle(decision),
    outcome: decision.plan.rejections.length < decision.pods ? 'done' : 'failed',
    result: `found in ${Math.round(decision.durationMs)} ms`,
    ...relaxedOf(decision.plan),
  }),
  'node-claim-created': ({ claim, planned, reason }) => ({
    id: `claim ${claim.metadata.name}`,
    title: `Create ${claim.metadata.name} (${planned.cheapest.instanceType.name}) for ${countText(planned.pods.length, 'pod')}`,
    outcome: 'running',
    reason,
  }),
  'node-claim-refused': ({ planned, resource }) => ({
    id: `refused ${planned.nodePoolName} ${resource}`,
    title: `NodePool ${planned.nodePoolName} takes no further node`,
    outcome: 'failed',
    result: `its limit on ${resource} is reached`,
  }),
  launched: ({ claim, labels: has, tookMs }) => ({
    id: `claim ${claim.metadata.name}`,
    result: `launched as ${has[labels.instanceType] ?? '?'} after ${seconds(tookMs)}`,
  }),
  'launch-failed': ({ claim, message }) => ({ id: `claim ${claim.metadata.name}`, outcome: 'failed', result: message }),
  initialized: ({ claim, tookMs }) => ({ id: `claim ${claim.metadata.name}`, outcome: 'done', result: `ready after ${seconds(tookMs)}` }),
  'command-started': ({ command }) => ({
    id: `command ${command.id}`,
    title: commandTitle(command),
    outcome: 'running',
    reason: command.reason.toLowerCase(),
    savingsPerHour: command.savingsPerHour,
  }),
  'command-succeeded': ({ command }) => ({ id: `command ${command.id}`, outcome: 'done', result: 'done' }),
  'command-abandoned': ({ command, why }) => ({ id: `command ${command.id}`, outcome: 'failed', result: why }),
  'claim-disrupted': ({ claim, reason }) => ({
    id: `disrupted ${claim.metadata.name}`,
    title: `Delete ${claim.metadata.name}`,
    outcome: 'running',
    reason,
  }),
  'claim-terminated': ({ claim, tookMs }) => ({
    id: `disrupted ${claim.metadata.name}`,
    outcome: 'done',
    result: `gone after ${seconds(tookMs)}`,
  }),
  interrupted: ({ node, reason }) => ({
    id: `interrupted ${node.metadata.name}`,
    title: `The cloud takes ${node.metadata.name} away`,
    outcome: 'running',
    reason,
  }),
  'node-unhealthy': ({ node, condition }) => ({
    id: `unhealthy ${node.metadata.name}`,
    title: `Delete unhealthy ${node.metadata.name}`,
    outcome: 'running',
    reason: condition,
  }),
  'catalog-failed': ({ nodePoolName, error }) => ({
    id: `catalog ${nodePoolName}`,
    title: `Instance types of NodePool ${nodePoolName} are not known`,
    outcome: 'failed',
    result: errorMessage(error),
  }),
};

const isWhole = (row: Partial<Row>): row is Row => row.title !== undefined && row.outcome !== undefined;

/** The last decisions, each with what became of it. */
export class DecisionLog {
  #rows = new Map<string, DecisionRow>();

  note(decision: Decision, atMs: number): void {
    if (decision.kind === 'plan-computed' && decision.pods === 0) return;
    // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
    const row = (rows[decision.kind] as ((decision: Decision) => Partial<Row> & Pick<Row, 'id'>) | undefined)?.(decision);
    if (row === undefined) return;
    const known = this.#rows.get(row.id);
    if (known === undefined && !isWhole(row)) return;
    const isRepeat = known !== undefined && isWhole(row);
    if (isRepeat) this.#rows.delete(row.id);
    const merged = isWhole(row) ? { ...row, atMs } : { ...known, ...row };
    this.#rows = new Map([...this.#rows, [row.id, merged as DecisionRow]].slice(-MOST_ROWS) as [string, DecisionRow][]);
  }

  /** Latest first. */
  latest(): readonly DecisionRow[] {
    return [...this.#rows.values()].reverse();
  }
}
