import { countText } from '@karpenter/cli/amounts';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { NodeTile } from '../state/dashboard-state.ts';
import { type ColorBy, legendOf } from '../view/tile-colors.ts';
import { gridFor, inOrder, tileAt, tileByKey, tileText } from '../view/tile-grid.ts';
import { drawTiles } from './draw-tiles.ts';
import { Choice } from './choice.tsx';
import { NodeDetails } from './node-details.tsx';

/** The width of an element, followed. */
const useWidth = (): [{ current: HTMLDivElement | null }, number] => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
};

/** Counts up when the browser changes between dark and light. */
const useTheme = (): number => {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setTheme((known) => known + 1);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return theme;
};

interface MapProps {
  /** Takes the focus back when a node is closed. */
  readonly map: { readonly current: HTMLDivElement | null };
  readonly tiles: readonly NodeTile[];
  readonly colorBy: ColorBy;
  readonly resource: 'cpu' | 'memory';
  readonly selected: string | undefined;
  readonly select: (name: string | undefined) => void;
}

/** The tiles on a canvas. Arrow keys move between them, a pointer picks one. */
const TileMap = ({ map, tiles, colorBy, resource, selected, select }: MapProps) => {
  const [box, width] = useWidth();
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const grid = gridFor(tiles.length, width);
  const index = selected === undefined ? -1 : tiles.findIndex(({ name }) => name === selected);
  const [hovered, setHovered] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (canvas.current === null || width === 0) return;
    const marked = index < 0 ? undefined : index;
    drawTiles(canvas.current, { tiles, grid, legend: legendOf(tiles, colorBy), colorBy, resource, selected: marked });
  }, [tiles, colorBy, resource, width, index, theme]);
  const at = (event: MouseEvent): number | undefined => {
    const tile = tileAt(grid, { x: event.offsetX, y: event.offsetY });
    return tile !== undefined && tile < tiles.length ? tile : undefined;
  };
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') select(undefined);
    const next = tileByKey(event.key, index, { columns: grid.columns, tiles: tiles.length });
    if (next === undefined) return;
    event.preventDefault();
    select(tiles[next]?.name);
  };
  const shown = hovered === undefined ? undefined : tiles[hovered];
  return (
    <div ref={box}>
      <div
        ref={map}
        class="map"
        role="application"
        aria-label={`Map of ${countText(tiles.length, 'node')}. Arrow keys move from node to node. The same nodes are in the table below.`}
        tabIndex={0}
        onKeyDown={move}
      >
        <canvas
          ref={canvas}
          aria-hidden="true"
          style={{ width: '100%', height: `${grid.height}px` }}
          title={shown === undefined ? '' : tileText(shown)}
          onClick={(event) => select(tiles[at(event) ?? -1]?.name)}
          onMouseMove={(event) => setHovered(at(event))}
          onMouseLeave={() => setHovered(undefined)}
        />
      </div>
    </div>
  );
};

const Legend = ({ tiles, colorBy }: { readonly tiles: readonly NodeTile[]; readonly colorBy: ColorBy }) => (
  <ul class="legend">
    {legendOf(tiles, colorBy).map(({ label, color, nodes }) => (
      <li key={label}>
        <span class={`swatch c${color}`} aria-hidden="true" />
        {label} <span class="quiet">{nodes.toLocaleString('en-US')}</span>
      </li>
    ))}
  </ul>
);

/** All nodes as tiles, filled by their pods. */
export const NodeMap = ({ nodes }: { readonly nodes: readonly NodeTile[] }) => {
  const tiles = useMemo(() => inOrder(nodes), [nodes]);
  const [colorBy, setColorBy] = useState<ColorBy>('pool');
  const [resource, setResource] = useState<'cpu' | 'memory'>('cpu');
  const [selected, select] = useState<string | undefined>(undefined);
  const map = useRef<HTMLDivElement>(null);
  const close = (): void => {
    select(undefined);
    map.current?.focus();
  };
  const chosen = tiles.find(({ name }) => name === selected);
  return (
    <section aria-labelledby="nodes-title">
      <div class="bar">
        <h2 id="nodes-title">Nodes</h2>
        <Choice label="Color" value={colorBy} of={['pool', 'capacity', 'state']} choose={setColorBy} />
        <Choice label="Fill" value={resource} of={['cpu', 'memory']} choose={setResource} />
      </div>
      {tiles.length === 0 ? <p class="quiet">There is no node.</p> : <Legend tiles={tiles} colorBy={colorBy} />}
      <TileMap {...{ map, tiles, colorBy, resource, selected, select }} />
      <div aria-live="polite">{chosen === undefined ? null : <NodeDetails tile={chosen} close={close} />}</div>
    </section>
  );
};
