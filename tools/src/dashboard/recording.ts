import type { RuleHealth, Span } from './prometheus.ts';
import type { AnsweredSection } from './section-page.ts';

/** What a Prometheus answered to every query of the dashboard, after it had watched a controller for a while. */
export interface DashboardRecording {
  readonly span: Span;
  readonly sections: readonly AnsweredSection[];
  readonly rules: readonly RuleHealth[];
}
