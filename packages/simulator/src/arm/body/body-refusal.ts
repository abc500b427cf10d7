import type { ArmRefusal } from '../faults/arm-error.ts';
import { type BodyProblem, bodyProblem } from './body-problem.ts';
import type { Shape } from './shape.ts';

const sentenceOf = (problem: BodyProblem): string => {
  switch (problem.kind) {
    case 'unknown-member':
      return `Could not find member '${problem.member}' on object of type '${problem.type}'. Path '${problem.path}', line 1, position 1.`;
    case 'missing':
      return `Required parameter '${problem.member}' is missing (null).`;
    case 'wrong-type':
      return `Error converting value of type '${problem.actual}' to type '${problem.expected}'. Path '${problem.path}', line 1, position 1.`;
    case 'not-allowed':
      return `The value '${problem.value}' of parameter '${problem.path}' is not allowed. Allowed values are: ${problem.allowed}.`;
  }
};

const codeOf = (problem: BodyProblem): string => {
  switch (problem.kind) {
    case 'unknown-member':
    case 'wrong-type':
      return 'BadRequest';
    case 'missing':
    case 'not-allowed':
      return 'InvalidParameter';
  }
};

/** How Microsoft.Compute refuses a body: 400, naming the field. */
export const computeBodyRefusal = (body: unknown, shape: Shape): ArmRefusal | undefined => {
  const problem = bodyProblem(body, shape);
  return problem && { status: 400, error: { code: codeOf(problem), message: sentenceOf(problem), target: problem.path } };
};

/** How Microsoft.Network refuses a body: 400 `InvalidRequestFormat`, the field named in its details. */
export const networkBodyRefusal = (body: unknown, shape: Shape): ArmRefusal | undefined => {
  const problem = bodyProblem(body, shape);
  return (
    problem && {
      status: 400,
      error: {
        code: 'InvalidRequestFormat',
        message: 'Cannot parse the request.',
        details: [
          {
            code: problem.kind === 'missing' ? 'MissingJsonReferenceId' : 'InvalidJson',
            message: sentenceOf(problem),
            target: problem.path,
          },
        ],
      },
    }
  );
};
