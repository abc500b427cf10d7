import type { NodeClaim } from '../apis/index.ts';
import type { CloudProviderError } from './cloud-provider-error.ts';

const ANNOTATION = 'karpenter.sh/failed-launch';
/** Code, reason, message. */
const WRITTEN = /^(\S+) (\S+) (.*)$/s;

/** A launch that the cloud accepted and failed later. */
export interface FailedLaunch {
  /** CamelCase: a condition's reason. */
  readonly cause: string;
  readonly message: string;
  /** The provider holds back what was out of stock, so that the next plan buys something else. */
  readonly isOutOfStock: boolean;
}

/** The annotation by which a claim carries the failure; `failedLaunchOf` reads it. */
export const failedLaunchAnnotation = ({
  code,
  reason = 'LaunchFailed',
  message,
}: CloudProviderError): Readonly<Record<string, string>> => ({
  [ANNOTATION]: `${code} ${reason} ${message}`,
});

/** How the launch of the claim failed after the cloud had accepted it; undefined while it has not. */
export const failedLaunchOf = ({ metadata }: Pick<NodeClaim, 'metadata'>): FailedLaunch | undefined => {
  const [, code, cause, message] = WRITTEN.exec(metadata.annotations?.[ANNOTATION] ?? '') ?? [];
  if (cause === undefined || message === undefined) return undefined;
  return { cause, message, isOutOfStock: code === 'insufficient-capacity' };
};
