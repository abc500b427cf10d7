import { CelError } from './cel-value.ts';

/** A piece of an expression: `text` as written, but for strings, where it is what the string says. */
interface Token {
  readonly kind: 'int' | 'uint' | 'double' | 'string' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const BLANK = /(?:[ \t\n\f\r]+|\/\/[^\n]*)+/y;
const DOUBLE = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)/y;
const INT = /(?:0[xX][0-9a-fA-F]+|\d+)([uU]?)/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
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

const stringAt = (text: string, at: number): ReadToken | undefined => {
  const raw = matchAt(RAW_STRING, text, at);
  if (raw !== undefined) return { token: { kind: 'string', text: contentOf(raw[1] ?? '') }, length: raw[0].length };
  const found = matchAt(STRING, text, at);
  return found && { token: { kind: 'string', text: unescaped(contentOf(found[2] ?? '')) }, length: found[0].length };
};

/** A token, and how many characters it takes. */
interface ReadToken {
  readonly token: Token;
  readonly length: number;
}

const SIGNS: ReadonlyMap<string, ReadToken> = new Map(
  ['&&', '||', '==', '!=', '<=', '>=', '[?', ...Array.from('<>+-*/%!?:.,[](){}')].map((text) => [
    text,
    { token: { kind: 'sign', text }, length: text.length },
  ]),
);

const signAt = (text: string, at: number): ReadToken | undefined => SIGNS.get(text.slice(at, at + 2)) ?? SIGNS.get(text.slice(at, at + 1));

const numberAt = (text: string, at: number): ReadToken | undefined => {
  const double = matchAt(DOUBLE, text, at)?.[0];
  if (double !== undefined) return { token: { kind: 'double', text: double }, length: double.length };
  const [int, suffix = ''] = matchAt(INT, text, at) ?? [];
  if (int === undefined) return undefined;
  const token: Token = suffix === '' ? { kind: 'int', text: int } : { kind: 'uint', text: int.slice(0, -1) };
  return { token, length: int.length };
};

const nameAt = (text: string, at: number): ReadToken | undefined => {
  const name = matchAt(NAME, text, at)?.[0];
  return name === undefined ? undefined : { token: { kind: 'name', text: name }, length: name.length };
};

const NUMBER_STARTS: ReadonlySet<string> = new Set('0123456789.');
const STRING_STARTS: ReadonlySet<string> = new Set('"\'rR');

/** By what a token may begin with: an expression has up to 10,000 characters, and a pod many expressions. */
const tokenAt = (text: string, at: number): ReadToken => {
  const first = text.charAt(at);
  let read: ReadToken | undefined;
  if (NUMBER_STARTS.has(first)) read = numberAt(text, at) ?? signAt(text, at);
  else if (STRING_STARTS.has(first)) read = stringAt(text, at) ?? nameAt(text, at);
  else read = signAt(text, at) ?? nameAt(text, at);
  if (read === undefined) throw new CelError(`syntax error at ${JSON.stringify(text.slice(at, at + 12))}`);
  return read;
};

/** The tokens of an expression, ended by one of kind `end`. */
const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    const first = text.charAt(at);
    const blank = first <= ' ' || first === '/' ? matchAt(BLANK, text, at) : undefined;
    if (blank !== undefined) at += blank[0].length;
    if (at >= text.length) {
      tokens.push({ kind: 'end', text: '' });
      return tokens;
    }
    const { token, length } = tokenAt(text, at);
    tokens.push(token);
    at += length;
  }
};

type LiteralValue = string | bigint | number | boolean | null;

/** An expression as a tree. Operators are calls of `a && b`, `a[b]` and so on, without a target. */
export type CelNode =
  | { readonly kind: 'literal'; readonly value: LiteralValue }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly of: CelNode; readonly field: string; readonly isOptional: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly target: CelNode | undefined; readonly args: readonly CelNode[] }
  /** `constant`: its value, where all items are literals. */
  | { readonly kind: 'list'; readonly items: readonly CelNode[]; readonly constant: readonly LiteralValue[] | undefined }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: CelNode, value: CelNode])[] };

/** Binary operators by how tightly they bind, the loosest first. */
const LEVELS: readonly (readonly string[])[] = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']];

const LEVEL_OF: ReadonlyMap<string, number> = new Map(LEVELS.flatMap((operators, level) => operators.map((name) => [name, level])));

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const MOST_DEPTH = 64;
/** Of a tree: the evaluator goes down by calls. Source: cel-go, `maxRecursionDepth`. */
const MOST_TREE_DEPTH = 250;
/** Chains of these are balanced as in cel-go: however long they are, the tree is not deep. */
const BALANCED: readonly string[] = ['||', '&&'];
/** The least int is written as the negative of one more than the greatest. */
const LARGEST_NEGATED = 2n ** 63n;

const intOf = (text: string): CelNode => {
  const value = BigInt(text);
  if (value > LARGEST_NEGATED) throw new CelError(`${text} is too large`);
  return { kind: 'literal', value };
};

const literalOf = ({ kind, text }: Token): CelNode => {
  if (kind === 'string') return { kind: 'literal', value: text };
  if (kind === 'int') return intOf(text);
  if (kind === 'uint') throw new CelError(`unsigned numbers are not known: ${text}u`);
  if (kind === 'double') return { kind: 'literal', value: Number(text) };
  throw new CelError(`syntax error at ${JSON.stringify(text)}`);
};

/** Pairs of one sign cancel each other, as in cel-go. */
const oddSigns = (signs: string): string => signs.replaceAll(/(!+|-+)/g, (run) => (run.length % 2 === 0 ? '' : run.charAt(0)));

class Parser {
  readonly #tokens: readonly Token[];
  /** Of the nodes that have others below them. */
  readonly #depths = new Map<CelNode, number>();
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): CelNode {
    const node = this.#expression();
    const { kind, text } = this.#peek();
    if (kind !== 'end') throw new CelError(`syntax error at ${JSON.stringify(text)}`);
    return node;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #isAt(text: string): boolean {
    const token = this.#peek();
    return token.text === text && (token.kind === 'sign' || (text === 'in' && token.kind === 'name'));
  }

  #takes(text: string): boolean {
    if (!this.#isAt(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw new CelError(`${JSON.stringify(text)} is missing before ${JSON.stringify(this.#peek().text)}`);
  }

  /** The node over these others. */
  #over(node: CelNode, below: readonly CelNode[]): CelNode {
    const deepest = below.reduce((most, each) => Math.max(most, this.#depths.get(each) ?? 0), 0);
    if (deepest >= MOST_TREE_DEPTH) throw new CelError('the expression is nested too deeply');
    this.#depths.set(node, deepest + 1);
    return node;
  }

  #operator(name: string, ...args: readonly CelNode[]): CelNode {
    return this.#over({ kind: 'call', name, target: undefined, args }, args);
  }

  #expression(): CelNode {
    if (++this.#depth > MOST_DEPTH) throw new CelError('the expression is nested too deeply');
    const condition = this.#binary(0);
    const node = this.#takes('?') ? this.#choice(condition) : condition;
    this.#depth--;
    return node;
  }

  #choice(condition: CelNode): CelNode {
    const yes = this.#binary(0);
    this.#expect(':');
    return this.#operator('?:', condition, yes, this.#expression());
  }

  /** Operators of this level, and of those that bind more tightly. */
  #binary(loosest: number): CelNode {
    let left = this.#unary();
    for (let level = this.#levelHere(); level >= loosest; level = this.#levelHere()) {
      const { text: name } = this.#next();
      if (BALANCED.includes(name)) left = this.#chain(name, left, level);
      else left = this.#operator(name, left, this.#binary(level + 1));
    }
    return left;
  }

  /** The level of the operator that comes next; -1 where none does. */
  #levelHere(): number {
    const { kind, text } = this.#peek();
    return kind === 'sign' || (kind === 'name' && text === 'in') ? (LEVEL_OF.get(text) ?? -1) : -1;
  }

  /** Operands of one operator whose order of application does not matter, as a tree that is not deep. */
  #chain(name: string, first: CelNode, level: number): CelNode {
    const operands = [first];
    do operands.push(this.#binary(level + 1));
    while (this.#takes(name));
    return this.#balanced(name, operands);
  }

  #balanced(name: string, operands: readonly CelNode[]): CelNode {
    const [first] = operands;
    if (operands.length === 1 && first !== undefined) return first;
    const middle = Math.ceil(operands.length / 2);
    return this.#operator(name, this.#balanced(name, operands.slice(0, middle)), this.#balanced(name, operands.slice(middle)));
  }

  #unary(): CelNode {
    let sign = '';
    while (this.#isAt('!') || this.#isAt('-')) sign += this.#next().text;
    let node = this.#member(this.#primary());
    if (sign === '') return node;
    for (const each of Array.from(oddSigns(sign)).reverse()) node = this.#operator(`${each}a`, node);
    return node;
  }

  #member(start: CelNode): CelNode {
    let node = start;
    while (this.#peek().kind === 'sign') {
      if (this.#takes('.')) node = this.#fieldOrCall(node);
      else if (this.#takes('[?')) node = this.#operator('[?]', node, this.#closed(']'));
      else if (this.#takes('[')) node = this.#operator('[]', node, this.#closed(']'));
      else return node;
    }
    return node;
  }

  #closed(sign: string): CelNode {
    const node = this.#expression();
    this.#expect(sign);
    return node;
  }

  #name(): string {
    const { kind, text } = this.#next();
    if (kind !== 'name') throw new CelError(`a name is missing before ${JSON.stringify(text)}`);
    return text;
  }

  #fieldOrCall(of: CelNode): CelNode {
    if (this.#takes('?')) return this.#over({ kind: 'select', of, field: this.#name(), isOptional: true }, [of]);
    const field = this.#name();
    if (!this.#takes('(')) return this.#over({ kind: 'select', of, field, isOptional: false }, [of]);
    const args = this.#list(')');
    return this.#over({ kind: 'call', name: field, target: of, args }, [of, ...args]);
  }

  #list(end: string): readonly CelNode[] {
    const items: CelNode[] = [];
    while (!this.#isAt(end)) {
      items.push(this.#expression());
      if (!this.#takes(',')) break;
    }
    this.#expect(end);
    return items;
  }

  #listed(): CelNode {
    const items = this.#list(']');
    const values = items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []));
    return this.#over({ kind: 'list', items, constant: values.length === items.length ? values : undefined }, items);
  }

  #map(): CelNode {
    const entries: (readonly [CelNode, CelNode])[] = [];
    while (!this.#isAt('}')) {
      const key = this.#expression();
      this.#expect(':');
      entries.push([key, this.#expression()]);
      if (!this.#takes(',')) break;
    }
    this.#expect('}');
    return this.#over({ kind: 'map', entries }, entries.flat());
  }

  #primary(): CelNode {
    if (this.#takes('(')) return this.#closed(')');
    if (this.#takes('[')) return this.#listed();
    if (this.#takes('{')) return this.#map();
    const token = this.#next();
    return token.kind === 'name' ? this.#named(token.text) : literalOf(token);
  }

  #named(text: string): CelNode {
    const constant = CONSTANTS.get(text);
    if (constant !== undefined) return { kind: 'literal', value: constant };
    return this.#takes('(') ? this.#operator(text, ...this.#list(')')) : { kind: 'name', name: text };
  }
}

/** The tree of an expression. Throws a `CelError` where it cannot be read. */
export const parseCel = (text: string): CelNode => new Parser(text).whole();
