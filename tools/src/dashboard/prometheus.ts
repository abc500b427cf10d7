/** One line of a chart. */
export interface Series {
  readonly name: string;
  /** Milliseconds since 1970 and value, in the order of time. Values that are no number are left out. */
  readonly points: readonly (readonly [atMs: number, value: number])[];
}

/** From when to when, and how far apart the points are. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepSeconds: number;
}

/** What an alert rule came to: `ok`, or why Prometheus could not evaluate it. */
export interface RuleHealth {
  readonly name: string;
  readonly health: string;
  readonly error: string;
  /** `firing`, `pending` or `inactive`. */
  readonly state: string;
}

interface Answer<T> {
  readonly status: string;
  readonly error?: string;
  readonly data: T;
}

interface Matrix {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly values: readonly (readonly [seconds: number, value: string])[];
  }[];
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string; readonly lastError?: string; readonly state: string }[];
  }[];
}

const ask = async <T>(url: string): Promise<T> => {
  const response = await fetch(url);
  const { status, error, data } = (await response.json()) as Answer<T>;
  if (status !== 'success') throw new Error(`${url}: ${error ?? response.statusText}`);
  return data;
};

/** `created, {{nodepool}}` with the labels in place. */
export const metricsNamedBy = (legend: string, labels: Readonly<Record<string, string>>): string =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_whole, label: string) => labels[label] ?? '');

/** Evaluates a query over a span of time, at the Prometheus of that address. Throws when it is refused. */
export const prometheusSeries = async (
  server: string,
  query: { expression: string; legend: string },
  span: Span,
): Promise<readonly Series[]> => {
  const parameters = new URLSearchParams({
    query: query.expression,
    start: String(span.fromMs / 1000),
    end: String(span.toMs / 1000),
    step: String(span.stepSeconds),
  });
  const { result } = await ask<Matrix>(`${server}/api/v1/query_range?${parameters.toString()}`);
  return result
    .map(({ metric, values }) => ({
      name: metricsNamedBy(query.legend, metric),
      points: values.map(([seconds, value]) => [seconds * 1000, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
    }))
    .filter(({ points }) => points.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** The alert rules that the Prometheus has loaded, and how their last evaluation went. */
export const rulesOf = async (server: string): Promise<readonly RuleHealth[]> => {
  const { groups } = await ask<Rules>(`${server}/api/v1/rules`);
  return groups.flatMap(({ rules }) => rules).map(({ name, health, lastError = '', state }) => ({ name, health, error: lastError, state }));
};
