import type { LoggedDecision } from './decision.ts';
import { countLabel, dollarLabel } from '../screen/text.ts';

type Fields = LoggedDecision['fields'];

const text = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
};
const number = (fields: Fields, name: string): number => {
  const value = fields[name];
  return typeof value === 'number' ? value : Number.NaN;
};
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const part = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isFields(value) ? value : {};
};
const parts = (fields: Fields, name: string): readonly Fields[] => {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isFields) : [];
};
const machine = (fields: Fields): string => `${text(fields, 'sku')} in ${text(fields, 'zone')} (${text(fields, 'capacityType')})`;
const price = (fields: Fields, name: string): string => `${dollarLabel(number(fields, name))}/h`;

const commandSentence = (fields: Fields): string => {
  const nodes = parts(fields, 'candidates').map((candidate) => `${text(candidate, 'node')} (${text(candidate, 'sku')})`);
  const replacements = parts(fields, 'replacements').map(machine);
  const instead = replacements.length === 0 ? '' : ` by ${replacements.join(', ')}`;
  return `${text(fields, 'reason').toLowerCase()}: ${text(fields, 'decision')} ${nodes.join(', ')}${instead}, saves ${price(fields, 'savingsPerHour')}`;
};

/** A plan for nothing (a node is leaving and nobody waits) is not worth a line. */
const planSentence = (fields: Fields): string | undefined => {
  const pods = number(fields, 'pods');
  if (pods === 0) return undefined;
  const nodes = countLabel(number(fields, 'plannedNodes'), 'new node');
  const rejected = number(fields, 'rejected');
  const leftOver = rejected > 0 ? `; ${countLabel(rejected, 'pod')} fit nowhere` : '';
  return `plan: ${countLabel(pods, 'pending pod')} → ${nodes} at ${price(fields, 'pricePerHour')}, found in ${text(fields, 'durationMs')} ms${leftOver}`;
};

/** What each decision of the controller means to the person who watches; messages that are not here are not shown. */
const sentences: Readonly<Record<string, (fields: Fields) => string | undefined>> = {
  'plan computed': planSentence,
  'nodeclaim created': (fields) =>
    `create ${text(fields, 'name')} for ${countLabel(number(fields, 'pods'), 'pod')}: the cheapest of ${text(fields, 'instanceTypes')} fitting sizes is ${text(part(fields, 'cheapest'), 'sku')} (${text(part(fields, 'cheapest'), 'capacityType')}), ${price(fields, 'pricePerHour')}`,
  'nodeclaim launched': (fields) => `launched ${text(fields, 'nodeClaim')} as ${machine(fields)}`,
  'launch failed': (fields) => `launch of ${text(fields, 'nodeClaim')} failed: ${text(fields, 'reason')}`,
  'nodeclaim initialized': (fields) => `${text(fields, 'node')} is ready`,
  'command started': commandSentence,
  'command abandoned': (fields) => `abandoned: ${commandSentence(fields)} (${text(fields, 'why')})`,
  'node terminated': (fields) => `${text(fields, 'node')} is gone`,
};

/** The sentence for a decision; undefined when it is not worth a line. */
export const narrate = ({ message, fields }: LoggedDecision): string | undefined => sentences[message]?.(fields);
