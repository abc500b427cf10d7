/** As the SDK throws it, with the body that ARM sent. */
export const restError = (statusCode: number, error: { code: string; message: string }, headers: Record<string, string> = {}): Error =>
  Object.assign(new Error(error.message), {
    name: 'RestError',
    statusCode,
    code: error.code,
    response: { headers: { get: (name: string) => headers[name] } },
  });
