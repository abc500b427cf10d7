import { countText, percentText } from '@karpenter/cli/amounts';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { NodeTile } from '../state/dashboard-state.ts';
import { type SortValue, type TableChoice, tableRows } from '../view/node-table.ts';
import { fillOf } from '../view/tile-grid.ts';
import { ageText, dollars } from '../view/texts.ts';

/** One column: all that is to change for it, once `NodeTile` has its value. */
interface Column {
  readonly title: string;
  readonly cell: (tile: NodeTile) => ComponentChildren;
  /** Absent: the table is not sorted by it. */
  readonly sort?: SortValue;
}

const byPrice: SortValue = ({ pricePerHour = -1 }) => pricePerHour;

/** The first heads its row. */
const columns: readonly Column[] = [
  { title: 'Node', cell: ({ name }) => name, sort: ({ name }) => name },
  { title: 'NodePool', cell: ({ nodePool = '–' }) => nodePool, sort: ({ nodePool = '' }) => nodePool },
  {
    title: 'Instance type',
    cell: ({ instanceType, capacityType }) => (
      <>
        {instanceType} <span class="quiet">{capacityType}</span>
      </>
    ),
    sort: ({ instanceType }) => instanceType,
  },
  { title: 'State', cell: ({ state }) => state, sort: ({ state }) => state },
  { title: 'CPU', cell: (tile) => percentText(fillOf(tile, 'cpu')), sort: (tile) => fillOf(tile, 'cpu') },
  { title: 'Memory', cell: (tile) => percentText(fillOf(tile, 'memory')), sort: (tile) => fillOf(tile, 'memory') },
  { title: 'Pods', cell: ({ pods }) => pods.requested, sort: ({ pods }) => pods.requested },
  { title: '$/h', cell: ({ pricePerHour }) => (pricePerHour === undefined ? '?' : dollars(pricePerHour)), sort: byPrice },
  {
    title: 'Age',
    cell: ({ createdAtMs }) => (createdAtMs === undefined ? '?' : ageText(Date.now() - createdAtMs)),
    sort: ({ createdAtMs = 0 }) => -createdAtMs,
  },
  { title: 'Stays because of', cell: ({ heldBy }) => heldBy },
];

const Row = ({ tile }: { readonly tile: NodeTile }) => (
  <tr>
    {columns.map(({ title, cell }, index) =>
      index === 0 ? (
        <th key={title} scope="row">
          {cell(tile)}
        </th>
      ) : (
        <td key={title}>{cell(tile)}</td>
      ),
    )}
  </tr>
);

const Table = ({ nodes }: { readonly nodes: readonly NodeTile[] }) => {
  const [choice, setChoice] = useState<TableChoice>({ filter: '', sort: byPrice, descending: true });
  const { rows, matching } = useMemo(() => tableRows(nodes, choice), [nodes, choice]);
  const sortBy = (sort: SortValue): void => setChoice({ ...choice, sort, descending: choice.sort === sort && !choice.descending });
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
              {columns.map(({ title, sort }) =>
                sort === undefined ? (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ) : (
                  <th key={title} scope="col" aria-sort={choice.sort === sort ? (choice.descending ? 'descending' : 'ascending') : 'none'}>
                    <button type="button" class="sort" onClick={() => sortBy(sort)}>
                      {title}
                      {choice.sort === sort ? (choice.descending ? ' ▾' : ' ▴') : ''}
                    </button>
                  </th>
                ),
              )}
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
