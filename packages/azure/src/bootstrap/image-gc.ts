import type { KubeletConfiguration } from '../apis/index.ts';

/** Percent of the disk at which kubelet collects images, and down to which. */
interface ImageGc {
  readonly high: number | undefined;
  readonly low: number | undefined;
}

/** What AKS sets where a class says nothing. */
const DEFAULT_HIGH = 85;
const DEFAULT_LOW = 80;
/** Between the two thresholds that AKS sets. */
const GAP = DEFAULT_HIGH - DEFAULT_LOW;

/**
 * The thresholds of a class. One that is given alone takes the other along where the default would not do: kubelet
 * starts only with a low threshold below the high one. So a high one of 0 becomes 1, and a low one of 100 becomes 99.
 * Differs: in the original such a kubelet does not start.
 */
export const imageGcOf = ({ imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low }: KubeletConfiguration): ImageGc => {
  if (high !== undefined && low === undefined && high <= DEFAULT_LOW) return { high: Math.max(1, high), low: Math.max(0, high - GAP) };
  if (low !== undefined && high === undefined && low >= DEFAULT_HIGH) return { high: Math.min(100, low + GAP), low: Math.min(99, low) };
  return { high, low };
};
