import type { NodeTile } from '../state/dashboard-state.ts';
import { COLORS, type ColorBy, colorOf, type LegendEntry } from '../view/tile-colors.ts';
import { fillOf, placeOf, type TileGrid } from '../view/tile-grid.ts';
import { dollars } from '../view/texts.ts';

/** What the map is drawn from. */
export interface TileDrawing {
  readonly tiles: readonly NodeTile[];
  readonly grid: TileGrid;
  readonly legend: readonly LegendEntry[];
  readonly colorBy: ColorBy;
  readonly resource: 'cpu' | 'memory';
  /** The tile that is marked. */
  readonly selected: number | undefined;
}

interface Palette {
  readonly colors: readonly string[];
  readonly empty: string;
  readonly text: string;
  readonly mark: string;
}

const paletteOf = (element: Element): Palette => {
  const style = getComputedStyle(element);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return {
    colors: Array.from({ length: COLORS }, (_, index) => value(`--c${index}`)),
    empty: value('--empty'),
    text: value('--text'),
    mark: value('--accent'),
  };
};

interface Box {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** From here on a tile has room for its pods one by one; below it only for a bar. */
const POD_SIZE = 24;
/** From here on a tile has room for words. */
const WORD_SIZE = 92;

/** Fills a tile from below: a slice for each pod, or one bar. */
const drawFill = (context: CanvasRenderingContext2D, tile: NodeTile, { box, resource }: { box: Box; resource: 'cpu' | 'memory' }): void => {
  const { x, y, size } = box;
  if (size < POD_SIZE) {
    const height = Math.min(1, fillOf(tile, resource)) * size;
    context.fillRect(x, y + size - height, size, height);
    return;
  }
  let bottom = y + size;
  for (const share of resource === 'cpu' ? tile.cpuShares : tile.memoryShares) {
    const height = Math.min((share / 1000) * size, bottom - y);
    context.fillRect(x, bottom - height, size, Math.max(0.5, height - 1));
    bottom -= height;
  }
};

const fitted = (context: CanvasRenderingContext2D, text: string, width: number): string => {
  if (context.measureText(text).width <= width) return text;
  for (let kept = text.length - 2; kept > 3; kept -= 1) {
    const short = `…${text.slice(-kept)}`;
    if (context.measureText(short).width <= width) return short;
  }
  return '';
};

/** Words on a plate, so that they can be read on every color. */
const drawWords = (context: CanvasRenderingContext2D, tile: NodeTile, { box, palette }: { box: Box; palette: Palette }): void => {
  const { x, y, size } = box;
  // All sizes of Azure begin alike.
  const lines = [
    tile.name,
    tile.instanceType.replace(/^Standard_/, ''),
    tile.pricePerHour === undefined ? '' : `${dollars(tile.pricePerHour)}/h`,
  ];
  context.globalAlpha = 0.82;
  context.fillStyle = palette.empty;
  context.fillRect(x + 4, y + 4, size - 8, 50);
  context.globalAlpha = 1;
  context.fillStyle = palette.text;
  for (const [index, line] of lines.entries()) context.fillText(fitted(context, line, size - 18), x + 9, y + 18 + index * 15);
};

/** Draws all tiles. 5,000 take a few milliseconds. */
export const drawTiles = (canvas: HTMLCanvasElement, drawing: TileDrawing): void => {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { tiles, grid, legend, colorBy, resource, selected } = drawing;
  const palette = paletteOf(canvas);
  const scale = window.devicePixelRatio;
  const width = canvas.clientWidth;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(grid.height * scale);
  context.scale(scale, scale);
  context.font = '12px system-ui, sans-serif';
  const colorFor = colorOf(legend, colorBy);
  for (const [index, tile] of tiles.entries()) {
    const box = { ...placeOf(grid, index), size: grid.size };
    context.fillStyle = palette.empty;
    context.fillRect(box.x, box.y, box.size, box.size);
    const color = palette.colors[colorFor(tile)] ?? palette.text;
    context.fillStyle = color;
    drawFill(context, tile, { box, resource });
    if (grid.size >= POD_SIZE) {
      context.strokeStyle = color;
      context.strokeRect(box.x + 0.5, box.y + 0.5, box.size - 1, box.size - 1);
    }
    if (grid.size >= WORD_SIZE) drawWords(context, tile, { box, palette });
  }
  if (selected === undefined || selected >= tiles.length) return;
  const { x, y } = placeOf(grid, selected);
  context.strokeStyle = palette.mark;
  context.lineWidth = 3;
  context.strokeRect(x - 0.5, y - 0.5, grid.size + 1, grid.size + 1);
};
