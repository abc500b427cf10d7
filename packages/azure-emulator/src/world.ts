import type { Clock } from '@karpenter/runtime';
import type { ArmAccount } from './account.ts';
import type { ArmBehaviours } from './behaviours.ts';
import type { TokenService } from './auth/token-service.ts';
import type { ImageVersions } from './compute/images/image-versions.ts';
import type { IdSource } from './id-source.ts';
import type { AsyncOperations } from './operations/async-operations.ts';
import type { ArmLatencies } from './options.ts';

/** What every part of one emulator shares. */
export interface ArmWorld {
  readonly clock: Clock;
  readonly account: ArmAccount;
  readonly latencies: ArmLatencies;
  readonly behaviours: ArmBehaviours;
  /** When the emulator was started. */
  readonly startedMs: number;
  readonly ids: IdSource;
  readonly operations: AsyncOperations;
  readonly images: ImageVersions;
  /** Access tokens. */
  readonly tokens: TokenService;
  /** 0 leaves the header out. */
  readonly pollAfterSeconds: number;
  /** Overrides the page size of every list. */
  readonly pageSize: number | undefined;
  /** `Standard_D4s_v5`, or `Standard_D4s_v5/1` in one zone → score. */
  readonly spotScores: Readonly<Record<string, string>>;
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
}
