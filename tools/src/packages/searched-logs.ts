/**
 * Set-up of all tests: searches what each test logged for secrets. The loggers of tests push their lines to
 * `loggedByTest`. What goes to the console is searched too. Whoever makes up a secret that has no shape of its own
 * pushes it to `secretsOfTest`.
 */
import { format } from 'node:util';
import { afterEach } from '@jest/globals';

const logged: string[] = [];
const made: string[] = [];
Object.assign(globalThis, { loggedByTest: logged, secretsOfTest: made });

for (const level of ['debug', 'error', 'info', 'log', 'warn'] as const) {
  const print = console[level].bind(console);
  console[level] = (...parts: readonly unknown[]): void => {
    logged.push(format(...parts));
    print(...parts);
  };
}

const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ['a bootstrap token', /\b[a-z\d]{6}\.[a-z\d]{16}\b/],
  ['a token of Azure or Kubernetes', /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/],
  ['a header with credentials', /\bBearer (?!\*|REDACTED|<)[\w.-]{8,}/],
  ['custom data', /IyEvYmluL2Jhc2|#!\/bin\/bash/],
  ['a signed URL', /[?&]sig=[\w%+/=-]{16,}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY/],
];

/** What kind of secret a line of a log holds; undefined when it holds none. */
export const secretIn = (line: string): string | undefined =>
  SHAPES.find(([, shape]) => shape.test(line))?.[0] ?? (made.some((secret) => line.includes(secret)) ? 'a secret of the test' : undefined);

afterEach(() => {
  const found = logged.splice(0).flatMap((line) => {
    const secret = secretIn(line);
    return secret === undefined ? [] : [`${secret} in: ${line.slice(0, 300)}`];
  });
  if (found.length > 0) throw new Error(`the log holds secrets:\n${found.slice(0, 5).join('\n')}`);
});
