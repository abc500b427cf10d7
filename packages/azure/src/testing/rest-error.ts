interface More {
  readonly headers?: Readonly<Record<string, string>>;
  /** Beside what of it is in the error. */
  readonly bodyAsText?: string;
}

/** As the SDK throws it. */
export const restError = (statusCode: number, error: { code: string; message: string }, { headers = {}, bodyAsText }: More = {}): Error =>
  Object.assign(new Error(error.message), {
    name: 'RestError',
    statusCode,
    code: error.code,
    response: { headers: { get: (name: string) => headers[name] }, ...(bodyAsText !== undefined && { bodyAsText }) },
  });
