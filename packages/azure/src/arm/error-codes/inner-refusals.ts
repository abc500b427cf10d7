import { listOf, objectOf, textsIn } from '../calls/shape.ts';

/** What Azure refused, in its own words. */
export interface InnerRefusal {
  /** `SkuNotAvailable` */
  readonly code: string;
  readonly message: string;
}

/** The error of a body: ARM puts it under `error`, some resource providers do not. Empty if the text is not JSON. */
export const refusalBodyIn = (text: string | null | undefined): Readonly<Record<string, unknown>> => {
  try {
    const body = objectOf(JSON.parse(text ?? ''));
    return objectOf(body['error'] ?? body);
  } catch {
    return {};
  }
};

/** Code of the refusals that `policyRefusalsOf` makes. */
export const POLICY_VIOLATION = 'PolicyViolation';

/**
 * `{ type: 'PolicyViolation', info: { evaluationDetails: { evaluatedExpressions: [{ expression:
 * 'Microsoft.Compute/virtualMachines/sku.name' }] } } }`
 */
const expressionsIn = (additional: unknown): readonly string[] => {
  if (textsIn(additional)['type'] !== POLICY_VIOLATION) return [];
  const details = objectOf(objectOf(objectOf(additional)['info'])['evaluationDetails']);
  return listOf(details['evaluatedExpressions']).flatMap((each) => textsIn(each)['expression'] ?? []);
};

/** One refusal for each field of the resource that a policy of the subscription has judged. */
const policyRefusalsOf = (error: unknown): readonly InnerRefusal[] =>
  listOf(objectOf(error)['additionalInfo'])
    .flatMap(expressionsIn)
    .map((field) => ({ code: POLICY_VIOLATION, message: `${textsIn(error)['message'] ?? ''} (${field})` }));

/**
 * The refusals that an error has in its details, the innermost first: the one around them may say no more than that
 * something failed.
 */
export const innerRefusalsOf = (error: unknown): readonly InnerRefusal[] => [
  ...policyRefusalsOf(error),
  ...listOf(objectOf(error)['details']).flatMap((detail) => {
    const { code, message = '' } = textsIn(detail);
    return [...innerRefusalsOf(detail), ...(code === undefined ? [] : [{ code, message: `${code}: ${message}` }])];
  }),
];
