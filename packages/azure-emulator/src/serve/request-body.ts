export type ParsedBody = { readonly kind: 'body'; readonly body: unknown } | { readonly kind: 'malformed'; readonly reason: string };

/** A request's body by its content type: a form's fields as an object, everything else as JSON; undefined when empty. */
export const parseBody = (raw: string, contentType: string): ParsedBody => {
  if (raw === '') return { kind: 'body', body: undefined };
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return { kind: 'body', body: Object.fromEntries(new URLSearchParams(raw)) };
  try {
    return { kind: 'body', body: JSON.parse(raw) as unknown };
  } catch (cause) {
    return { kind: 'malformed', reason: String(cause) };
  }
};
