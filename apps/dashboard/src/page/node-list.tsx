import { countText, percentText } from '@karpenter/cli/amounts';
import { useMemo, useState } from 'preact/hooks';
import type { NodeTile } from '../state/dashboard-state.ts';
import { type SortKey, type TableChoice, tableRows } from '../view/node-table.ts';
import { fillOf } from '../view/tile-grid.ts';
import { ageText, dollars } from '../view/texts.ts';

const columns: readonly (readonly [SortKey, string])[] = [
  ['name', 'Node'],
  ['pool', 'NodePool'],
  ['type', 'Instance type'],
  ['state', 'State'],
  ['cpu', 'CPU'],
  ['memory', 'Memory'],
  ['pods', 'Pods'],
  ['price', '$/h'],
  ['age', 'Age'],
];

const Row = ({ tile }: { readonly tile: NodeTile }) => (
  <tr>
    <th scope="row">{tile.name}</th>
    <td>{tile.nodePool ?? '–'}</td>
    <td>
      {tile.instanceType} <span class="quiet">{tile.capacityType}</span>
    </td>
    <td>{tile.state}</td>
    <td>{percentText(fillOf(tile, 'cpu'))}</td>
    <td>{percentText(fillOf(tile, 'memory'))}</td>
    <td>{tile.pods.requested}</td>
    <td>{tile.pricePerHour === undefined ? '?' : dollars(tile.pricePerHour)}</td>
    <td>{tile.createdAtMs === undefined ? '?' : ageText(Date.now() - tile.createdAtMs)}</td>
    <td>{tile.heldBy}</td>
  </tr>
);

const Table = ({ nodes }: { readonly nodes: readonly NodeTile[] }) => {
  const [choice, setChoice] = useState<TableChoice>({ filter: '', sort: 'price', descending: true });
  const { rows, matching } = useMemo(() => tableRows(nodes, choice), [nodes, choice]);
  const sortBy = (sort: SortKey): void => setChoice({ ...choice, sort, descending: choice.sort === sort && !choice.descending });
  return (
    <>
      <label class="field">
        Filter
        <input
          type="search"
          value={choice.filter}
          placeholder="name, pool, size, zone, state"
          onInput={({ currentTarget }) => setChoice({ ...choice, filter: currentTarget.value })}
        />
      </label>
      <p class="quiet" aria-live="polite">
        {countText(matching, 'node')}
        {matching > rows.length ? `, the first ${rows.length} are shown` : ''}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Nodes as a table">
        <table>
          <thead>
            <tr>
              {columns.map(([key, title]) => (
                <th key={key} scope="col" aria-sort={choice.sort === key ? (choice.descending ? 'descending' : 'ascending') : 'none'}>
                  <button type="button" class="sort" onClick={() => sortBy(key)}>
                    {title}
                    {choice.sort === key ? (choice.descending ? ' ▾' : ' ▴') : ''}
                  </button>
                </th>
              ))}
              <th scope="col">Stays because of</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((tile) => (
              <Row key={tile.name} tile={tile} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

/** The nodes as a table, made only while it is open. */
export const NodeList = ({ nodes }: { readonly nodes: readonly NodeTile[] }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="node-list" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>All nodes as a table</summary>
      {isOpen ? <Table nodes={nodes} /> : null}
    </details>
  );
};
