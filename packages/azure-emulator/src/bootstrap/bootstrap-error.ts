export type BootstrapErrorCode =
  | 'NotBase64'
  | 'NotAScript'
  | 'MissingVariable'
  | 'MissingScript'
  | 'MalformedLabel'
  | 'ForbiddenLabel'
  | 'MalformedTaint'
  | 'MalformedFlag'
  | 'MalformedSetting'
  | 'SwapRefused';

/** A VM's customData that would not make a node: what is wrong with it. */
export class BootstrapError extends Error {
  readonly code: BootstrapErrorCode;

  constructor(code: BootstrapErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BootstrapError';
    this.code = code;
  }
}
