import { listOf, objectOf, textsIn } from '../calls/shape.ts';

/** What Azure refused, in its own words. */
export interface InnerRefusal {
  /** `SkuNotAvailable` */
  readonly code: string;
  readonly message: string;
}

/** The error of a body: ARM puts it under `error`, some resource providers do not. Nothing of what is no JSON. */
export const refusalBodyIn = (text: string | null | undefined): Readonly<Record<string, unknown>> => {
  try {
    const body = objectOf(JSON.parse(text ?? ''));
    return objectOf(body['error'] ?? body);
  } catch {
    return {};
  }
};

/** The refusals that an error has in its details, the innermost first: the one around them may say no more than that something failed. */
export const innerRefusalsOf = (error: unknown): readonly InnerRefusal[] =>
  listOf(objectOf(error)['details']).flatMap((detail) => {
    const { code, message = '' } = textsIn(detail);
    return [...innerRefusalsOf(detail), ...(code === undefined ? [] : [{ code, message: `${code}: ${message}` }])];
  });
