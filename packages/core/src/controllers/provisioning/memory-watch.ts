import { forgetLongTexts } from '../../catalog/index.ts';
import type { Shell } from '../shell.ts';

/** Beyond this share of the memory, plans are made in smaller portions; up to the lower one they are whole again. */
const SHORT = 0.8;
const ENOUGH = 0.7;
/** Beyond this a plan ends early with what it has. */
const OUT = 0.92;
/** What one plan may take in any case. */
const GROWTH = 0.05;
/** What a plan takes on while memory is short. */
const PORTION = 0.2;

/** Keeps plans within the memory of the process. */
export class MemoryWatch {
  readonly #shell: Pick<Shell, 'memoryUse' | 'reporter'>;
  #isShort = false;
  #beforeRatio = 0;

  constructor(shell: Pick<Shell, 'memoryUse' | 'reporter'>) {
    this.#shell = shell;
  }

  /** Which share of its work the next plan may do. Reports once when memory gets short. */
  portion(): number {
    const usedRatio = this.#shell.memoryUse();
    this.#beforeRatio = usedRatio;
    if (!this.#isShort && usedRatio > SHORT) {
      this.#isShort = true;
      forgetLongTexts();
      this.#shell.reporter.report({ kind: 'memory-short', usedRatio });
    } else if (usedRatio <= ENOUGH) this.#isShort = false;
    return this.#isShort ? PORTION : 1;
  }

  /** Whether the plan has taken so much that it should end with what it has. What was taken before it is not its fault. */
  isOut(): boolean {
    return this.#shell.memoryUse() > Math.max(OUT, this.#beforeRatio + GROWTH);
  }
}
