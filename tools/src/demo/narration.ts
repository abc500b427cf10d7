import type { Decision } from './decision.ts';
import { count, dollars } from './text.ts';

type Fields = Decision['fields'];

const text = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
};
const number = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
};
const sizeOf = (fields: Fields, name: string): number => {
  const value = fields[name];
  return Array.isArray(value) ? value.length : Number(value ?? 0);
};
const list = (fields: Fields, name: string): string => {
  const value = fields[name];
  return Array.isArray(value) ? value.join(', ') : text(fields, name);
};

/** What each decision of the controller means to the person who watches; messages that are not here are not shown. */
const sentences: Readonly<Record<string, (fields: Fields) => string>> = {
  'plan computed': (fields) =>
    `plan: ${count(sizeOf(fields, 'pods'), 'pod')} need ${count(sizeOf(fields, 'plannedNodes'), 'new node')} at ${dollars(number(fields, 'pricePerHour'))}/h`,
  'nodeclaim created': (fields) =>
    `create ${text(fields, 'name')}: ${text(fields, 'sku')} in ${text(fields, 'zone')} (${text(fields, 'capacityType')}) is the cheapest for ${count(sizeOf(fields, 'pods'), 'pod')}, ${dollars(number(fields, 'pricePerHour'))}/h`,
  'command started': (fields) =>
    `disrupt (${text(fields, 'method')}): ${text(fields, 'decision')} ${list(fields, 'candidates')}, saves ${dollars(number(fields, 'savingsPerHour'))}/h`,
};

/** The sentence for a decision; undefined when it is not worth a line. */
export const narrate = ({ message, fields }: Decision): string | undefined => sentences[message]?.(fields);
