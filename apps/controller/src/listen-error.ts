import { StartError } from '@karpenter/core/provider-kit';

/** A port that is configured, and the flag that sets it. */
export interface ConfiguredPort {
  readonly flag: string;
  /** Absent: every address. */
  readonly host?: string;
  readonly port: number;
}

/** The error of a start that found the port in use, or not its own to open. */
export const cannotListen = ({ flag, host = '', port }: ConfiguredPort, cause: unknown): StartError => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StartError(`cannot listen on ${host}:${port} (${flag}): ${why}; expected a port that is free`, { cause });
};
