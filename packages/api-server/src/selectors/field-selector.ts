import { badRequest } from '../status/refusals.ts';

/** One condition on one field. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Reads `spec.nodeName=a,status.phase!=Running`; `\,` `\=` and `\\` are escapes. Throws an `ApiError` (`BadRequest`)
 * when it is none.
 */
export const parseFieldSelector = (text: string): readonly FieldRequirement[] =>
  [...text.matchAll(/(?:[^,\\]|\\.)+/g)].map(([term]) => {
    const match = /^([^!=]+)(==|!=|=)((?:[^=\\]|\\.)*)$/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', sign = '', value = ''] = match;
    return { field, equal: sign !== '!=', value: value.replace(/\\(.)/g, '$1') };
  });
