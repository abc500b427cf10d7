import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { repository } from '../repository.ts';
import { testTitlesIn } from './test-titles.ts';

interface Source {
  readonly path: string;
  readonly file: ts.SourceFile;
}

const page = readFileSync(repository('docs/parity.md'), 'utf8');

const original = JSON.parse(readFileSync(repository('tools/data/original/messages.json'), 'utf8')) as {
  readonly logMessages: readonly string[];
  readonly eventReasons: readonly string[];
};

/** The page from a heading to the next of the same level. */
const sectionOf = (heading: string): string => page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';

const nodesOf = (file: ts.Node): readonly ts.Node[] => {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** Literal text, also of a constant of the same file; of a template only what stands before its first variable. */
const textOfNode = (node: ts.Node | undefined, file: ts.SourceFile): string | undefined => {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text;
  if (!ts.isIdentifier(node)) return undefined;
  const constant = nodesOf(file).find(
    (each): each is ts.VariableDeclaration => ts.isVariableDeclaration(each) && each.name.getText(file) === node.text,
  );
  return constant?.initializer !== undefined && ts.isStringLiteralLike(constant.initializer) ? constant.initializer.text : undefined;
};

const callsIn = (file: ts.SourceFile): readonly ts.CallExpression[] => nodesOf(file).filter(ts.isCallExpression);

const files = globSync('{packages,apps,tools}/**/*.ts', { cwd: repository('.'), exclude: (path) => /node_modules|dist/.test(path) });

const parsed = (path: string): Source => ({
  path,
  file: ts.createSourceFile(path, readFileSync(repository(path), 'utf8'), ts.ScriptTarget.ES2023, true),
});

/** Files of the controller that write to the log or make events. */
const sources = files
  .filter((path) => /^(?:packages\/(?:core|runtime)|apps\/controller)\/src\/(?!.*(?:\.test\.ts|\/(?:testing|fixtures)\/))/.test(path))
  .filter((path) => /logger|Logger|RecordedEvent|BlockerText|events/.test(readFileSync(repository(path), 'utf8')))
  .map(parsed);

describe('log lines on the page about the original', () => {
  const section = sectionOf('Log lines');
  const isLogging = (callee: string, path: string): boolean =>
    /(?:^|[.#])logger\.(?:debug|info|warn|error)$/.test(callee) ||
    (path.endsWith('/decision-log.ts') && /^(?:debug|info|warn)$/.test(callee));
  const written = new Set(
    sources.flatMap(({ path, file }) =>
      callsIn(file)
        .filter(({ expression }) => isLogging(expression.getText(file), path))
        .flatMap((call) => textOfNode(call.arguments[0], file) ?? []),
    ),
  );

  test('name every message that core, runtime and controller write', () =>
    expect([...written].filter((message) => !section.includes(`\`${message}\``))).toEqual([]));

  const [, withEqual = '', without = '', own = ''] = section.split(/^### /m);

  test('name every message of the original, and no other as one of it', () => {
    const named = [...`${withEqual}${without}`.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
    );
    expect(named.sort()).toEqual([...original.logMessages].sort());
  });

  test('name no message of ours that nothing writes', () => {
    const columns = [
      ...withEqual.matchAll(/^\|(?:[^|]*)\|([^|]*)\|/gm), // second column
      ...own.matchAll(/^\|([^|]*)\|/gm),
    ].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message));
    expect(columns.length).toBeGreaterThan(written.size / 2);
    expect(columns.filter((message) => !written.has(message) && message !== 'unplaced')).toEqual([]);
  });
});

describe('events on the page about the original', () => {
  const isReason = (text: string): boolean => /^(?:[A-Z][a-z]+)+$/.test(text);
  const isCondition = ({ properties }: ts.ObjectLiteralExpression, file: ts.SourceFile): boolean =>
    properties.some((property) => property.name?.getText(file) === 'status');
  const makers = sources.filter(({ file }) => /RecordedEvent\b|BlockerText\b|events\??\.record\(/.test(file.text));
  const reasonsIn = ({ file }: Source): readonly string[] => [
    ...nodesOf(file)
      .filter(ts.isPropertyAssignment)
      .filter(({ name, parent }) => name.getText(file) === 'reason' && !isCondition(parent, file))
      .flatMap(({ initializer }) => textOfNode(initializer, file) ?? []),
    ...callsIn(file)
      .filter(({ expression }) => /^(?:warning|consolidationEvents)$/.test(expression.getText(file)))
      .flatMap((call) => call.arguments.flatMap((argument) => textOfNode(argument, file) ?? [])),
  ];
  const emitted = new Set(makers.flatMap(reasonsIn).filter(isReason));
  const named = new Set(
    [...sectionOf('Events').matchAll(/^\|([^|]*)\|/gm)]
      .filter(([, cell = '']) => !cell.includes('condition'))
      .flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, reason = '']) => reason)),
  );

  test('name every reason of the original', () => {
    expect(original.eventReasons.filter((reason) => !sectionOf('Events').includes(`\`${reason}\``))).toEqual([]);
  });

  test('have the reasons that the code gives, no more and no fewer', () => {
    expect(emitted.size).toBeGreaterThan(25);
    expect([...named].sort()).toEqual([...emitted].sort());
  });
});

describe('files and tests on the page about the original', () => {
  /** `core/x.ts`, as the tables shorten it, is `packages/core/src/x.ts`. */
  const filesOf = (name: string): readonly string[] =>
    files.filter((file) => [file, file.replace('/src/', '/')].some((path) => path.endsWith(`/${name}`)));
  const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.ts)`/g)].map(([, name = '']) => name);

  test('each name stands for one file', () => {
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((name) => filesOf(name).length !== 1).map((name) => [name, filesOf(name)])).toEqual([]);
  });

  test('each file or folder of code is there', () => {
    const names = [...page.matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|[^|]*\|$/gm)]
      .flatMap(([, cell = '']) => [...cell.matchAll(/`([\w-]+(?:\/[\w.-]+)+)`/g)].map(([, name = '']) => name))
      .filter((name) => !name.endsWith('.ts'));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !files.some((file) => file.replace('/src/', '/').includes(`/${name}/`)))).toEqual([]);
  });

  /** Titles in tables, with the file that the line names before them, or the head of the table. */
  const quoted = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .reduce<{ readonly head: string; readonly titles: readonly { readonly name: string; readonly title: string }[] }>(
      ({ head, titles }, line) => {
        const ofHead = /in `([\w./-]+\.test\.ts)` \|$/.exec(line)?.[1];
        if (ofHead !== undefined) return { head: ofHead, titles };
        let name = head;
        const found = [...line.matchAll(/`([\w./-]+\.test\.ts)`|“([^”]+)”/g)].flatMap(([, file, title]) => {
          name = file ?? name;
          return title === undefined ? [] : [{ name, title }];
        });
        return { head: line.startsWith('| Case | Test here |') ? '' : head, titles: [...titles, ...found] };
      },
      { head: '', titles: [] },
    ).titles;

  test('each quoted title is one of its file', () => {
    expect(quoted.length).toBeGreaterThan(40);
    const titles = new Map([...new Set(quoted.map(({ name }) => name))].map((name) => [name, testTitlesIn(filesOf(name)[0] ?? '')]));
    expect(quoted.filter(({ name, title }) => titles.get(name)?.has(title) !== true)).toEqual([]);
  });
});
