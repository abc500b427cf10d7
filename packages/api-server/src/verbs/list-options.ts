import { type FieldError, forbiddenField, unsupported } from '../status/field-error.ts';
import { badRequest, invalidOptions, notANumber } from '../status/refusals.ts';

/** The options of a list or watch besides its selectors, from the query. */
export interface ListParams {
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly match: string;
  readonly sendInitialEvents: boolean | undefined;
}

const FIELD = 'resourceVersionMatch';

type Rule = readonly [applies: (options: ListParams) => boolean, error: (options: ListParams) => FieldError];

const forbids = (applies: Rule[0], why: string, field = FIELD): Rule => [applies, () => forbiddenField(field, why)];

const isContinued = ({ continueToken }: ListParams): boolean => continueToken !== '';

const LIST_RULES: readonly Rule[] = [
  forbids(
    ({ match, resourceVersion }) => match !== '' && resourceVersion === '',
    `${FIELD} is forbidden unless resourceVersion is provided`,
  ),
  forbids((options) => options.match !== '' && isContinued(options), `${FIELD} is forbidden when continue is provided`),
  [({ match }) => !['', 'Exact', 'NotOlderThan'].includes(match), ({ match }) => unsupported(FIELD, match, ['Exact', 'NotOlderThan', ''])],
  forbids(
    ({ match, resourceVersion }) => match === 'Exact' && resourceVersion === '0',
    `${FIELD} "exact" is forbidden for resourceVersion "0"`,
  ),
  forbids(({ sendInitialEvents }) => sendInitialEvents !== undefined, 'sendInitialEvents is forbidden for list', 'sendInitialEvents'),
];

const WATCH_RULES: readonly Rule[] = [
  forbids(
    ({ sendInitialEvents, match }) => sendInitialEvents !== undefined && match !== 'NotOlderThan',
    `sendInitialEvents requires setting ${FIELD} to NotOlderThan`,
  ),
  forbids(
    ({ sendInitialEvents, match }) => sendInitialEvents === undefined && match !== '',
    `${FIELD} is forbidden for watch unless sendInitialEvents is provided`,
  ),
  [({ match }) => !['', 'NotOlderThan'].includes(match), ({ match }) => unsupported(FIELD, match, ['NotOlderThan'])],
  forbids((options) => options.match !== '' && isContinued(options), `${FIELD} is forbidden when continue is provided`),
];

const numberOf = (query: URLSearchParams, name: string): number => {
  const text = query.get(name) ?? '';
  if (text !== '' && !/^[-+]?\d+$/.test(text)) throw badRequest(notANumber(text, 'ParseInt'));
  return Number(text);
};

/**
 * Reads the options of a list or a watch. Throws an `ApiError` for a number that is none, and for options that exclude
 * each other.
 */
export const listOptionsOf = (query: URLSearchParams, verb: 'list' | 'watch'): ListParams => {
  const sendInitialEvents = query.get('sendInitialEvents');
  const options: ListParams = {
    limit: numberOf(query, 'limit'),
    timeoutSeconds: numberOf(query, 'timeoutSeconds'),
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get(FIELD) ?? '',
    sendInitialEvents: sendInitialEvents === null ? undefined : !['false', '0'].includes(sendInitialEvents),
  };
  const errors = (verb === 'list' ? LIST_RULES : WATCH_RULES).filter(([applies]) => applies(options)).map(([, error]) => error(options));
  if (errors.length > 0) throw invalidOptions('ListOptions', ...errors);
  return options;
};
