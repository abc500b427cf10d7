/** One query of a panel. `legend` names its series by their labels: `created, {{nodepool}}`. */
export interface PanelQuery {
  readonly expression: string;
  readonly legend: string;
}

/** A panel as the dashboard's JSON has it. */
export interface Panel {
  readonly title: string;
  readonly kind: string;
  /** Grafana's name of it: `s`, `percentunit`, `currencyUSD`, … */
  readonly unit: string;
  /** In columns (24 make a page) and rows; `y` counts from the section's first panel. */
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly queries: readonly PanelQuery[];
}

/** A row of the dashboard with the panels below it. */
export interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

interface StoredPanel {
  readonly type: string;
  readonly title: string;
  readonly gridPos: Panel['place'];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** The part of a Grafana dashboard that is read here. */
export interface StoredDashboard {
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue?: string }[] };
  readonly panels: readonly StoredPanel[];
}

/** The query as Grafana sends it: every variable at all of its values, and an interval in place of Grafana's own. */
const sent = (expression: string, { templating }: StoredDashboard, rateInterval: string): string =>
  templating.list.reduce(
    (text, { name, allValue }) => (allValue === undefined ? text : text.replaceAll(`$${name}`, allValue)),
    expression.replaceAll('$__rate_interval', rateInterval),
  );

/** The dashboard's rows in their order. `rateInterval`, such as `20s`, is what Grafana would take for `$__rate_interval`. */
export const sectionsOf = (dashboard: StoredDashboard, rateInterval: string): readonly Section[] => {
  const { panels } = dashboard;
  const starts = panels.flatMap(({ type }, index) => (type === 'row' ? [index] : []));
  return starts.map((start, nth) => {
    const own = panels.slice(start + 1, starts[nth + 1]);
    const top = Math.min(...own.map(({ gridPos }) => gridPos.y));
    return {
      title: panels[start]?.title ?? '',
      panels: own.map(({ type, title, gridPos, fieldConfig, targets = [] }) => ({
        ...{ title, kind: type, unit: fieldConfig?.defaults.unit ?? 'short' },
        place: { ...gridPos, y: gridPos.y - top },
        queries: targets.map(({ expr, legendFormat }) => ({ expression: sent(expr, dashboard, rateInterval), legend: legendFormat })),
      })),
    };
  });
};
