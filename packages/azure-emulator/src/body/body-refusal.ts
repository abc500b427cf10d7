import type { ArmRefusal } from '../faults/arm-error.ts';
import { type BodyProblem, bodyProblem } from './body-problem.ts';
import type { BodyShape } from './shape.ts';

const sentenceOf = (problem: BodyProblem): string => {
  switch (problem.kind) {
    case 'unknown-member':
      return `Could not find member '${problem.member}' on object of type '${problem.type}'. Path '${problem.path}', line 1, position 1.`;
    case 'read-only':
      return `The parameter '${problem.path}' is read-only.`;
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
    case 'read-only':
    case 'missing':
    case 'not-allowed':
      return 'InvalidParameter';
  }
};

/** How Microsoft.Compute refuses a body: 400, naming the field. */
export const computeBodyRefusal = (body: unknown, shape: BodyShape): ArmRefusal | undefined => {
  const problem = bodyProblem(body, shape);
  return problem && { status: 400, error: { code: codeOf(problem), message: sentenceOf(problem), target: problem.path } };
};

/** How Microsoft.Network refuses a body: 400 `InvalidRequestFormat`, the field named in its details. */
export const networkBodyRefusal = (body: unknown, shape: BodyShape): ArmRefusal | undefined => {
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

const GO_TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  integer: 'int32',
  number: 'float64',
  array: '[]string',
  object: 'map',
};

const aksSentenceOf = (problem: BodyProblem): string => {
  switch (problem.kind) {
    case 'unknown-member':
      return (
        `UnmarshalEntity encountered error: json: unknown field "${problem.member}" Check that the field is in the right location, is spelled ` +
        'correctly, and is supported in the API version. Visit aka.ms/aks/apiversions for more API version information..'
      );
    case 'wrong-type':
      return `UnmarshalEntity encountered error: json: cannot unmarshal ${problem.actual} into Go struct field ${problem.path} of type ${GO_TYPES[problem.expected] ?? problem.expected}.`;
    case 'read-only':
      return `The value of parameter ${problem.path} is read-only.`;
    case 'missing':
      return `Required parameter ${problem.path} is missing (null).`;
    case 'not-allowed':
      return `The value of parameter ${problem.path} is invalid. '${problem.value}' is none of ${problem.allowed}.`;
  }
};

/**
 * How the service of AKS refuses a body: 400, and a member that its api-version does not know as it was recorded in
 * Azure/azure-rest-api-specs#40740. Stricter than AKS about what is read-only, which no client has a reason to send.
 */
export const aksBodyRefusal = (body: unknown, shape: BodyShape): ArmRefusal | undefined => {
  const problem = bodyProblem(body, shape);
  if (problem === undefined) return undefined;
  const isMalformed = problem.kind === 'unknown-member' || problem.kind === 'wrong-type';
  return {
    status: 400,
    error: { code: isMalformed ? 'UnmarshalError' : 'InvalidParameter', message: aksSentenceOf(problem), target: problem.path },
  };
};
