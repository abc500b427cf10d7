import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { PricePoint } from '../state/dashboard-state.ts';
import { priceSeries, priceText } from '../view/price-series.ts';
import { dollars, tickText } from '../view/texts.ts';

const HEIGHT = 180;
/** A first point alone would stand in the middle of years. */
const LEAST_SPAN_SECONDS = 60;

const dataOf = (points: readonly PricePoint[]): uPlot.AlignedData => {
  const [times, prices] = priceSeries(points);
  return [[...times], [...prices]];
};

const timesOf = (...[, splits, , , stepSeconds]: Parameters<uPlot.Axis.DynamicValues>): string[] =>
  splits.map((each) => tickText(each * 1000, stepSeconds));

/** Colors come from the style sheet each time something is drawn, so that a change between dark and light shows. */
const optionsFor = (box: HTMLElement): uPlot.Options => {
  const color = (name: string) => (): string => getComputedStyle(box).getPropertyValue(name).trim();
  const grid = { stroke: color('--line'), width: 1 };
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const axis = { stroke: color('--quiet'), grid, ticks: grid };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false },
    scales: {
      x: { range: (_chart, least, most) => [Math.min(least, most - LEAST_SPAN_SECONDS), most] },
      y: { range: (_chart, _least, most) => [0, Math.max(0.01, most * 1.1)] },
    },
    axes: [
      { ...axis, size: 32, space: 80, values: timesOf },
      { ...axis, size: 64, values: (_chart, splits) => splits.map((each) => dollars(each)) },
    ],
    series: [
      {},
      {
        label: '$/h',
        stroke: color('--accent'),
        fill: color('--accent-soft'),
        width: 2,
        points: { show: false },
        ...(steps && { paths: steps }),
      },
    ],
  };
};

/** The price over time. */
export const PriceChart = ({ points }: { readonly points: readonly PricePoint[] }) => {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(optionsFor(element), dataOf(points), element);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    const query = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => made.redraw(false);
    query.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      query.removeEventListener('change', redraw);
      made.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData(dataOf(points)), [points]);
  return (
    <section aria-labelledby="price-title">
      <h2 id="price-title">Price</h2>
      <figure>
        <div ref={box} class="chart" aria-hidden="true" />
        <figcaption class="quiet">{priceText(points)}</figcaption>
      </figure>
    </section>
  );
};
