/** The body of an ARM error: `{"error": {code, message, target?, details?}}`. */
export interface ArmErrorBody {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly details?: readonly ArmErrorBody[];
  readonly additionalInfo?: readonly { readonly type: string; readonly info: object }[];
}

/**
 * An answer of ARM that says no: an HTTP status and why. A value; it becomes a response or the result of an
 * asynchronous operation.
 */
export interface ArmRefusal {
  readonly status: number;
  readonly error: ArmErrorBody;
  readonly retryAfterSeconds?: number;
}

export const refusal = (status: number, code: string, message: string): ArmRefusal => ({ status, error: { code, message } });
