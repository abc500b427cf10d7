const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const RULES = {
  subdomain: {
    most: 253,
    pattern: whole(SUBDOMAIN),
    words: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
  },
  label: {
    most: 63,
    pattern: whole(LABEL),
    words: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
  },
  label1035: {
    most: 63,
    pattern: whole(LABEL_1035),
    words: `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${LABEL_1035}')`,
  },
  path: { most: Number.POSITIVE_INFINITY, pattern: /^[^/]*$/, words: `may not contain '/'` },
  portName: {
    most: 15,
    pattern: /^(?!-)(?!.*--)(?=.*[a-z])[a-z0-9-]+(?<!-)$/,
    words: 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
  },
  labelValue: {
    most: 63,
    pattern: whole(LABEL_VALUE),
    words: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`,
  },
  qualifiedName: {
    most: 63,
    pattern: whole(QUALIFIED),
    words: `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`,
  },
} as const;

/** What each rule counts, where that is not characters. */
const COUNTED: Partial<Readonly<Record<keyof typeof RULES, (most: number) => string>>> = {
  labelValue: (most) => `must be no more than ${most} bytes`,
  qualifiedName: (most) => `name part must be no more than ${most} bytes`,
};

const tooLong = (rule: keyof typeof RULES, most: number): string => COUNTED[rule]?.(most) ?? `must be no more than ${most} characters`;

/** What is wrong with a text under a syntax rule of apimachinery; empty when nothing is. */
export const nameProblems = (text: string, rule: keyof typeof RULES): readonly string[] => {
  const { most, pattern, words } = RULES[rule];
  if (rule === 'path' && ['.', '..'].includes(text)) return [`may not be '${text}'`];
  if (rule === 'path' && text.includes('%')) return [...(text.includes('/') ? [words] : []), `may not contain '%'`];
  const empty = rule === 'qualifiedName' && text === '' ? ['name part must be non-empty'] : [];
  return [...empty, ...(text.length > most ? [tooLong(rule, most)] : []), ...(pattern.test(text) ? [] : [words])];
};

/** What is wrong with a label or annotation key: an optional DNS subdomain and `/`, then a name. */
export const qualifiedKeyProblems = (key: string): readonly string[] => {
  const parts = key.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) {
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (second === undefined) return nameProblems(first, 'qualifiedName');
  return [
    ...(first === '' ? ['prefix part must be non-empty'] : nameProblems(first, 'subdomain').map((words) => `prefix part ${words}`)),
    ...nameProblems(second, 'qualifiedName'),
  ];
};
