/** What was checked. */
export type PreflightCheck =
  | 'sign-in'
  | 'clock'
  | 'egress'
  | 'providers'
  | 'features'
  | 'api-versions'
  | 'region'
  | 'permissions'
  | 'agent-pool'
  | 'subnets'
  | 'quota'
  | 'images';

/**
 * `failed`: nodes will not come. `warning`: some will not, or not for long. `unknown`: Azure did not say, and `message`
 * has the reason.
 */
export type PreflightStatus = 'passed' | 'warning' | 'failed' | 'unknown';

/** What is common to all findings. */
interface Finding {
  readonly check: PreflightCheck;
  /** A scope, a quota family, a NodePool, a URL. */
  readonly subject: string;
  readonly message: string;
}

/** A failure always has what to run to mend it; the others where something can be done. */
export type PreflightFinding = Finding &
  (
    | { readonly status: Exclude<PreflightStatus, 'failed'>; readonly remedy?: string }
    | { readonly status: 'failed'; readonly remedy: string }
  );

export interface PreflightReport {
  /** In the order of the checks. */
  readonly findings: readonly PreflightFinding[];
  /** Nothing failed and nothing stayed unknown. */
  readonly isReady: boolean;
}

export const reportOf = (findings: readonly PreflightFinding[]): PreflightReport => ({
  findings,
  isReady: findings.every(({ status }) => status === 'passed' || status === 'warning'),
});

const MARKS: Readonly<Record<PreflightStatus, string>> = { passed: 'ok', warning: 'warn', failed: 'FAIL', unknown: '?' };

const linesOf = ({ check, subject, status, message, remedy }: PreflightFinding): readonly string[] => [
  `${MARKS[status].padEnd(4)} ${check.padEnd(12)} ${subject}: ${message}`,
  ...(remedy === undefined ? [] : [`     run: ${remedy}`]),
];

/** The report for people: a line for each finding, below it what to run. */
export const preflightText = ({ findings, isReady }: PreflightReport): string => {
  const counts = (['failed', 'unknown', 'warning'] as const).map((status) => findings.filter((each) => each.status === status).length);
  const summary = `${isReady ? 'ready' : 'not ready'}: ${counts[0]} failed, ${counts[1]} unknown, ${counts[2]} warnings of ${findings.length} findings`;
  return [...findings.flatMap(linesOf), summary].join('\n');
};
