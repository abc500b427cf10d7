import { lineChart } from '../dashboard/line-chart.ts';
import type { SoakSample } from './process-use.ts';

const MIB = 1024 ** 2;
const WIDTH = 900;
const HEIGHT = 150;
const TITLE = 22;

const charts: readonly (readonly [title: string, value: (sample: SoakSample) => number | undefined])[] = [
  ['heap after a collection, MiB', ({ heapBytes }) => heapBytes / MIB],
  ['the same without compiled code, MiB', ({ dataBytes }) => dataBytes / MIB],
  ['resident memory, MiB', ({ residentBytes }) => residentBytes / MIB],
  ['open handles', ({ handles }) => handles],
  ['timers', ({ timers }) => timers],
  ['event loop late by, 99th percentile, ms', ({ loopDelayMs }) => loopDelayMs],
  ['nodes', ({ nodes }) => nodes],
  ['pods', ({ pods }) => pods],
  ['open watches', ({ watches }) => watches],
  ['watches begun since the sample before', ({ watchStarts }) => watchStarts],
  ['pods missed', ({ missed }) => missed],
];

const STYLE =
  'svg{background:#181b1f;font:11px sans-serif}text{fill:#ccccdc}line{stroke:#2c3235}path{fill:none;stroke-width:1.5}.title{font-size:13px}';

/** A plot of each figure over time, as an SVG file. What was not measured has none. */
export const soakPlot = (samples: readonly SoakSample[]): string => {
  const [first, last] = [samples[0], samples.at(-1)];
  const frame = {
    ...{ width: WIDTH, height: HEIGHT, unit: 'short', gapMs: Number.MAX_VALUE },
    fromMs: first?.atMs ?? 0,
    toMs: last?.atMs ?? 1,
  };
  const measured = charts.flatMap(([title, value]) => {
    const points = samples.flatMap((sample) =>
      [value(sample)].filter((each) => each !== undefined).map((each) => [sample.atMs, each] as const),
    );
    return points.length === 0 ? [] : [{ title, points }];
  });
  const parts = measured.map(({ title, points }, place) => {
    const chart = lineChart([{ name: title, points }], frame);
    return `<g transform="translate(0 ${place * (HEIGHT + TITLE)})"><text class="title" x="8" y="15">${title}</text><g transform="translate(0 ${TITLE})">${chart}</g></g>`;
  });
  const height = measured.length * (HEIGHT + TITLE);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><style>${STYLE}</style>${parts.join('')}</svg>\n`;
};
