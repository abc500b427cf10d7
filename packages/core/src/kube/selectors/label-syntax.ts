const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const DOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/**
 * `name` or `prefix/name`: at most 63 characters of name and 253 of DNS subdomain. Source: apimachinery, `IsQualifiedName`.
 */
export const isLabelKey = (text: string): boolean => {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || !NAME.test(name)) return false;
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return domain === undefined || (domain.length <= 253 && DOMAIN.test(domain));
};

/** Empty, or at most 63 characters that begin and end with a letter or digit. Source: apimachinery, `IsValidLabelValue`. */
export const isLabelValue = (text: string): boolean => text === '' || NAME.test(text);

/** What stands before the slash of a label key; empty when there is none. */
export const labelDomainOf = (key: string): string => (key.includes('/') ? key.slice(0, key.indexOf('/')) : '');
