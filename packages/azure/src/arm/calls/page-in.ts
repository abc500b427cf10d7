import { objectOf } from './shape.ts';

/** A page of a list, as ARM writes them. */
export const pageIn = (answer: unknown): { readonly items: unknown; readonly next: string | undefined } => {
  const { value, nextLink } = objectOf(answer);
  return { items: value, next: typeof nextLink === 'string' && nextLink !== '' ? nextLink : undefined };
};
