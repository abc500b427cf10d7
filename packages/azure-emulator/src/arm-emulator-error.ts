export type ArmEmulatorErrorCode = 'UnknownLocation' | 'NoSuchSpotVm' | 'ImpossibleReservation';

/** The emulator does not support the request. */
export class ArmEmulatorError extends Error {
  readonly code: ArmEmulatorErrorCode;

  constructor(code: ArmEmulatorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArmEmulatorError';
    this.code = code;
  }
}
