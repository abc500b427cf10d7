import { lineChart } from '../dashboard/line-chart.ts';
import type { SoakSample } from './process-use.ts';

const MIB = 1024 ** 2;
const WIDTH = 900;
const HEIGHT = 150;
const TITLE = 22;

const charts: readonly (readonly [title: string, value: (sample: SoakSample) => number])[] = [
  ['heap after a collection, MiB', ({ heapBytes }) => heapBytes / MIB],
  ['the same without compiled code, MiB', ({ dataBytes }) => dataBytes / MIB],
  ['resident memory, MiB', ({ residentBytes }) => residentBytes / MIB],
  ['open handles', ({ handles }) => handles],
  ['timers', ({ timers }) => timers],
  ['event loop late by, 99th percentile, ms', ({ loopDelayMs }) => loopDelayMs],
  ['nodes', ({ nodes }) => nodes],
  ['pods', ({ pods }) => pods],
  ['open watches', ({ watches }) => watches],
  ['pods missed', ({ missed }) => missed],
];

const STYLE =
  'svg{background:#181b1f;font:11px sans-serif}text{fill:#ccccdc}line{stroke:#2c3235}path{fill:none;stroke-width:1.5}.title{font-size:13px}';

/** A plot of each figure over time, as an SVG file. */
export const soakPlot = (samples: readonly SoakSample[]): string => {
  const [first, last] = [samples[0], samples.at(-1)];
  const frame = {
    ...{ width: WIDTH, height: HEIGHT, unit: 'short', gapMs: Number.MAX_VALUE },
    fromMs: first?.atMs ?? 0,
    toMs: last?.atMs ?? 1,
  };
  const parts = charts.map(([title, value], place) => {
    const chart = lineChart([{ name: title, points: samples.map((sample) => [sample.atMs, value(sample)] as const) }], frame);
    return `<g transform="translate(0 ${place * (HEIGHT + TITLE)})"><text class="title" x="8" y="15">${title}</text><g transform="translate(0 ${TITLE})">${chart}</g></g>`;
  });
  const height = charts.length * (HEIGHT + TITLE);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><style>${STYLE}</style>${parts.join('')}</svg>\n`;
};
