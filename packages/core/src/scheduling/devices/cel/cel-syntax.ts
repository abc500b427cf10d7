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
const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    const blank = matchAt(BLANK, text, at);
    if (blank !== undefined) at += blank[0].length;
    if (at >= text.length) return [...tokens, { kind: 'end', text: '' }];
    const { token, length } = tokenAt(text, at);
    tokens.push(token);
    at += length;
  }
};

/** An expression as a tree. Operators are calls of `a && b`, `a[b]` and so on, without a target. */
export type CelNode =
  | { readonly kind: 'literal'; readonly value: string | bigint | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly of: CelNode; readonly field: string; readonly isOptional: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly target: CelNode | undefined; readonly args: readonly CelNode[] }
  | { readonly kind: 'list'; readonly items: readonly CelNode[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: CelNode, value: CelNode])[] };

/** Binary operators by how tightly they bind, the loosest first. */
const LEVELS: readonly (readonly string[])[] = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']];

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
const LARGEST_INT = 2n ** 63n - 1n;

const intOf = (text: string): CelNode => {
  const value = BigInt(text);
  // The least int is written as the negative of one more than the greatest.
  if (value > LARGEST_INT + 1n) throw new CelError(`${text} is too large`);
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

  #binary(level: number): CelNode {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    const [only = ''] = operators;
    if (BALANCED.includes(only)) return this.#chain(only, level);
    let left = this.#binary(level + 1);
    for (let name = operators.find((each) => this.#isAt(each)); name !== undefined; name = operators.find((each) => this.#isAt(each))) {
      this.#at++;
      left = this.#operator(name, left, this.#binary(level + 1));
    }
    return left;
  }

  /** Operands of one operator whose order of application does not matter, as a tree that is not deep. */
  #chain(name: string, level: number): CelNode {
    const operands = [this.#binary(level + 1)];
    while (this.#takes(name)) operands.push(this.#binary(level + 1));
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
    for (const each of Array.from(oddSigns(sign)).reverse()) node = this.#operator(`${each}a`, node);
    return node;
  }

  #member(start: CelNode): CelNode {
    let node = start;
    for (;;) {
      if (this.#takes('.')) node = this.#fieldOrCall(node);
      else if (this.#takes('[?')) node = this.#operator('[?]', node, this.#closed(']'));
      else if (this.#takes('[')) node = this.#operator('[]', node, this.#closed(']'));
      else return node;
    }
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
    return this.#over({ kind: 'list', items }, items);
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
