import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { repository } from '../repository.ts';

/** Texts in the tables of `test.each([['two budgets', …]])`. */
const casesOf = (call: ts.CallExpression, file: ts.SourceFile): readonly string[] => {
  const cases: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) cases.push(...node.elements.filter(ts.isStringLiteralLike).map(({ text }) => text));
    ts.forEachChild(node, visit);
  };
  if (/^(?:describe|test|it)\.each$/.test(call.expression.getText(file))) call.arguments.forEach(visit);
  return cases;
};

/** What takes a title; also a test that is skipped where something is missing. */
const TITLED = /^(?:describe|test|it)\b|\? test : test\.skip\)$/;

/**
 * Titles of the tests in a file, each alone and after those of the blocks around it, as jest prints them with ` › `;
 * and names of cases. Placeholders stay as they are written. Errors: there is no such file.
 */
export const testTitlesIn = (path: string): ReadonlySet<string> => {
  const file = ts.createSourceFile(path, readFileSync(repository(path), 'utf8'), ts.ScriptTarget.ES2023, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const isTitled = ts.isCallExpression(node) && TITLED.test(node.expression.getText(file));
    const title = isTitled ? node.arguments[0] : undefined;
    const text = title !== undefined && ts.isStringLiteralLike(title) ? title.text : undefined;
    const inner = text === undefined ? around : [...around, text];
    for (let from = 0; text !== undefined && from < inner.length; from += 1) titles.add(inner.slice(from).join(' › '));
    if (ts.isCallExpression(node)) for (const name of casesOf(node, file)) titles.add(name);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(file, []);
  return titles;
};
