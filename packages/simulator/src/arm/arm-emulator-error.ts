export type ArmEmulatorErrorCode = 'UnknownLocation' | 'NoSuchSpotVm' | 'ImpossibleReservation';

/** The emulator was asked for something that it cannot do. */
export class ArmEmulatorError extends Error {
  readonly code: ArmEmulatorErrorCode;

  constructor(code: ArmEmulatorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArmEmulatorError';
    this.code = code;
  }
}
