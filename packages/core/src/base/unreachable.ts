/** Where the compiler has shown that no case is left. Reaching it is a bug, so it throws. */
export const unreachable = (value: never): never => {
  throw new Error(`This case cannot occur: ${JSON.stringify(value)}`);
};
