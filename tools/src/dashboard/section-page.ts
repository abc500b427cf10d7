import { escapedHtml } from '../escaped-html.ts';
import type { Page } from '../pictures/screenshot.ts';
import { colourOf, lineChart } from './line-chart.ts';
import type { Series, Span } from './prometheus.ts';
import type { Panel } from './sections.ts';
import { valueInUnit } from './value-in-unit.ts';

/** A panel with what its queries answered. */
export interface AnsweredPanel extends Panel {
  readonly series: readonly Series[];
}

export interface AnsweredSection {
  readonly title: string;
  readonly panels: readonly AnsweredPanel[];
}

const WIDTH = 1200;
const COLUMN = WIDTH / 24;
const ROW = 30;
const GAP = 8;
const HEAD = 34;
/** More names than this would leave the chart no room. */
const NAMED = 6;

const STYLE = `body{margin:0;background:#111217;color:#ccccdc;font:12px 'DejaVu Sans',sans-serif}
h1{margin:0;padding:9px ${GAP}px 0;font-size:14px;font-weight:500}
div.panel{position:absolute;background:#181b1f;border:1px solid #2c2e33;border-radius:2px;box-sizing:border-box;overflow:hidden}
h2{margin:0;padding:6px 8px;font-size:12px;font-weight:500}
svg line{stroke:#2c2e33} svg text{fill:#9fa7b3;font-size:10px} svg path{fill:none;stroke-width:1.3;stroke-linecap:round}
p{margin:0;padding:0 8px;line-height:15px;font-size:10.5px} p b{margin:0 4px 0 0} p span{margin-right:12px;white-space:nowrap}
strong{display:block;text-align:center;font-size:44px;font-weight:500;color:#73bf69;padding-top:56px}
em{display:block;text-align:center;padding-top:80px;color:#9fa7b3;font-style:normal}`;

const mostOf = ({ points }: Series): number => Math.max(...points.map(([, value]) => Math.abs(value)));

const legendOf = (series: readonly Series[]): string => {
  const names = series.slice(0, NAMED).map(({ name }, nth) => `<span><b style="color:${colourOf(nth)}">▬</b>${escapedHtml(name)}</span>`);
  const more = series.length > NAMED ? [`<span>and ${series.length - NAMED} more</span>`] : [];
  return `<p>${[...names, ...more].join(' ')}</p>`;
};

const chartOf = (panel: AnsweredPanel, span: Span, size: { readonly width: number; readonly height: number }): string => {
  const series = panel.series.length > NAMED ? panel.series.toSorted((a, b) => mostOf(b) - mostOf(a)) : panel.series;
  const legendHeight = series.length > 2 ? 48 : 18;
  const frame = {
    ...span,
    unit: panel.unit,
    gapMs: span.stepSeconds * 1500,
    width: size.width - 2,
    height: size.height - 30 - legendHeight,
  };
  return lineChart(series, frame) + legendOf(series);
};

const contentOf = (panel: AnsweredPanel, span: Span, size: { readonly width: number; readonly height: number }): string => {
  if (panel.series.length === 0) return '<em>No data</em>';
  if (panel.kind !== 'stat') return chartOf(panel, span, size);
  const last = panel.series[0]?.points.at(-1)?.[1] ?? 0;
  return `<strong>${valueInUnit(last, panel.unit)}</strong>`;
};

const panelOf = (panel: AnsweredPanel, span: Span): string => {
  const { x, y, w, h } = panel.place;
  const size = { width: w * COLUMN - GAP, height: h * ROW - GAP };
  const style = `left:${x * COLUMN + GAP / 2}px;top:${y * ROW + HEAD}px;width:${size.width}px;height:${size.height}px`;
  return `<div class="panel" style="${style}"><h2>${escapedHtml(panel.title)}</h2>${contentOf(panel, span, size)}</div>`;
};

/**
 * A page in HTML with a section's panels where the dashboard has them, and the size of the window that it fills, in pixels.
 */
export const sectionPage = ({ title, panels }: AnsweredSection, span: Span): Page => {
  const rows = Math.max(...panels.map(({ place }) => place.y + place.h));
  const body = panels.map((panel) => panelOf(panel, span)).join('\n');
  return {
    html: `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><h1>${escapedHtml(title)}</h1>${body}`,
    width: WIDTH,
    height: HEAD + rows * ROW,
  };
};
