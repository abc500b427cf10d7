import { createCelEnvironment, withStrictInt } from './cel-environment.ts';

/** What an expression can read. */
export type CelVariables = Readonly<Record<string, unknown>>;

/** Evaluates CEL expressions, each compiled once. */
export interface CelPrograms {
  /** Why an expression is none; undefined when it compiles. */
  problemOf(expression: string): string | undefined;
  /** Throws what the evaluation throws. */
  evaluate(expression: string, variables: CelVariables): unknown;
}

type Program = (variables: CelVariables) => unknown;

/** The first line of what CEL throws: the rest draws the place in the expression. */
export const celErrorText = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));

export const createCelPrograms = (): CelPrograms => {
  const environment = createCelEnvironment();
  const compiled = new Map<string, Program>();
  const programOf = (expression: string): Program => {
    const known = compiled.get(expression);
    if (known !== undefined) return known;
    const program = environment.parse(withStrictInt(expression)) as unknown as Program;
    compiled.set(expression, program);
    return program;
  };
  return {
    problemOf: (expression) => {
      try {
        programOf(expression);
        return undefined;
      } catch (error) {
        return celErrorText(error);
      }
    },
    evaluate: (expression, variables) => programOf(expression)(variables),
  };
};
