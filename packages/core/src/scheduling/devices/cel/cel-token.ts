import { CelError } from './cel-value.ts';

/** A piece of an expression: `text` as written, but for strings, where it is what the string says. */
export interface Token {
  readonly kind: 'int' | 'uint' | 'double' | 'string' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const BLANK = /(?:[ \t\n\f\r]+|\/\/[^\n]*)+/y;
const DOUBLE = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)/y;
const INT = /(?:0[xX][0-9a-fA-F]+|\d+)([uU]?)/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SIGN = /(?:&&|\|\||==|!=|<=|>=|\[\?|[<>+\-*/%!?:.,[\](){}])/y;
const STRING = /([rR]?)("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/y;
const RAW_STRING = /[rR]("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')/y;

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g;

const codePoint = (digits: string, base: number): string => {
  const code = Number.parseInt(digits, base);
  if (code > 0x10ffff) throw new CelError(`there is no character \\U${digits}`);
  return String.fromCodePoint(code);
};

const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_all, ...found: readonly (string | undefined)[]) => {
    const [hex, short, long, octal, simple] = found;
    const digits = hex ?? short ?? long;
    if (digits !== undefined) return codePoint(digits, 16);
    if (octal !== undefined) return codePoint(octal, 8);
    return SIMPLE_ESCAPES[simple ?? ''] ?? simple ?? '';
  });

const contentOf = (quoted: string): string => {
  const marks = /^("""|''')/.test(quoted) ? 3 : 1;
  return quoted.slice(marks, -marks);
};

/** What a pattern matches at the position. */
const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};

const stringAt = (text: string, at: number): { readonly token: Token; readonly length: number } | undefined => {
  const raw = matchAt(RAW_STRING, text, at);
  if (raw !== undefined) return { token: { kind: 'string', text: contentOf(raw[1] ?? '') }, length: raw[0].length };
  const found = matchAt(STRING, text, at);
  return found && { token: { kind: 'string', text: unescaped(contentOf(found[2] ?? '')) }, length: found[0].length };
};

const KINDS = [
  ['double', DOUBLE],
  ['int', INT],
  ['name', NAME],
  ['sign', SIGN],
] as const;

const tokenAt = (text: string, at: number): { readonly token: Token; readonly length: number } => {
  const quoted = stringAt(text, at);
  if (quoted !== undefined) return quoted;
  for (const [kind, pattern] of KINDS) {
    const found = matchAt(pattern, text, at);
    if (found === undefined) continue;
    const isUint = kind === 'int' && (found[1] ?? '') !== '';
    const token: Token = isUint ? { kind: 'uint', text: found[0].slice(0, -1) } : { kind, text: found[0] };
    return { token, length: found[0].length };
  }
  throw new CelError(`syntax error at ${JSON.stringify(text.slice(at, at + 12))}`);
};

/** The tokens of an expression, ended by one of kind `end`. */
export const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    at += matchAt(BLANK, text, at)?.[0].length ?? 0;
    if (at >= text.length) return [...tokens, { kind: 'end', text: '' }];
    const { token, length } = tokenAt(text, at);
    tokens.push(token);
    at += length;
  }
};
