import { createCelEnvironment } from '../crd/cel-environment.ts';

/** What an expression of a policy can read. */
export type PolicyVariables = Readonly<Record<string, unknown>>;

/** Evaluates CEL expressions, each compiled once. */
export interface PolicyPrograms {
  /** Why an expression is none; undefined when it compiles. */
  problemOf(expression: string): string | undefined;
  /** Throws what the evaluation throws. */
  evaluate(expression: string, variables: PolicyVariables): unknown;
}

type Program = (variables: PolicyVariables) => unknown;

const firstLine = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));

export const createPolicyPrograms = (): PolicyPrograms => {
  const environment = createCelEnvironment();
  const compiled = new Map<string, Program>();
  const programOf = (expression: string): Program => {
    const known = compiled.get(expression);
    if (known !== undefined) return known;
    const program = environment.parse(expression) as unknown as Program;
    compiled.set(expression, program);
    return program;
  };
  return {
    problemOf: (expression) => {
      try {
        programOf(expression);
        return undefined;
      } catch (error) {
        return firstLine(error);
      }
    },
    evaluate: (expression, variables) => programOf(expression)(variables),
  };
};
