import { countText, percentText } from '@karpenter/cli/amounts';
import type { DecisionRow, PendingGroup, PoolRow, TypeRow } from '../state/dashboard-state.ts';
import { clockText, dollars } from '../view/texts.ts';

/** Pods that wait, and why. */
export const PendingPodList = ({ groups }: { readonly groups: readonly PendingGroup[] }) => (
  <section aria-labelledby="pending-title">
    <h2 id="pending-title">Pending pods</h2>
    {groups.length === 0 ? <p class="quiet">Every pod has a place.</p> : null}
    <ul class="list">
      {groups.map(({ reason, count: pods, pods: names }) => (
        <li key={reason}>
          <p>
            <strong>{countText(pods, 'pod')}</strong> {reason}
          </p>
          <details>
            <summary>{names[0]}</summary>
            <p class="quiet">
              {names.slice(1).join(', ')}
              {pods > names.length ? ` and ${pods - names.length} more` : ''}
            </p>
          </details>
        </li>
      ))}
    </ul>
  </section>
);

const marks = { running: '…', done: '✓', failed: '✗' };

const Decision = ({ row }: { readonly row: DecisionRow }) => (
  <li class={row.outcome}>
    <time dateTime={new Date(row.atMs).toISOString()}>{clockText(row.atMs)}</time>
    <p>
      <span class="mark" role="img" aria-label={row.outcome}>
        {marks[row.outcome]}
      </span>{' '}
      {row.title}
      {row.reason === undefined ? null : <span class="tag">{row.reason}</span>}
      {row.savingsPerHour === undefined ? null : <span class="tag saving">saves {dollars(row.savingsPerHour)}/h</span>}
      {row.result === undefined ? null : <span class="quiet"> {row.result}</span>}
    </p>
    {row.relaxed === undefined ? null : (
      <details>
        <summary>Preferences relaxed</summary>
        <ul class="quiet">
          {row.relaxed.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    )}
  </li>
);

/** The last decisions, each with what became of it. */
export const DecisionList = ({ rows, isLeader }: { readonly rows: readonly DecisionRow[]; readonly isLeader: boolean }) => (
  <section aria-labelledby="decisions-title">
    <h2 id="decisions-title">Decisions</h2>
    {isLeader ? null : (
      <p class="quiet">Another replica decides; this one follows the cluster. Its decisions are on the leader’s dashboard.</p>
    )}
    {rows.length === 0 ? <p class="quiet">None since this replica began.</p> : null}
    <ol class="decisions" tabIndex={0} aria-label="Decisions, latest first">
      {rows.map((row) => (
        <Decision key={row.id} row={row} />
      ))}
    </ol>
  </section>
);

const Types = ({ pool, types }: { readonly pool: string; readonly types: readonly TypeRow[] }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={`Cheapest instance types of ${pool}`}>
    <table>
      <thead>
        <tr>
          <th scope="col">Cheapest</th>
          <th scope="col">CPU</th>
          <th scope="col">Memory</th>
          <th scope="col">$/h</th>
          <th scope="col">Where</th>
        </tr>
      </thead>
      <tbody>
        {types.map(({ name, cpu, memory, pricePerHour, zone, capacityType }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{cpu}</td>
            <td>{memory}</td>
            <td>{dollars(pricePerHour)}</td>
            <td>
              {zone} {capacityType}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Pool = ({ pool }: { readonly pool: PoolRow }) => (
  <li>
    <div class="bar">
      <h3>{pool.name}</h3>
      {pool.closedBy === undefined ? null : <span class="tag bad">launches nothing: {pool.closedBy}</span>}
      <span>
        {countText(pool.nodes, 'node')}, {dollars(pool.pricePerHour)}/h
      </span>
    </div>
    {pool.limits.map(({ resource, used, limit, share }) => (
      <label key={resource} class="limit">
        <span>
          {resource}: {used} of {limit}
        </span>
        <meter min={0} max={1} high={0.9} value={Math.min(1, share)}>
          {percentText(share)}
        </meter>
      </label>
    ))}
    <details>
      <summary>
        {countText(pool.matchingTypes, 'instance type')} {pool.matchingTypes === 1 ? 'matches' : 'match'}
      </summary>
      <Types pool={pool.name} types={pool.cheapestTypes} />
    </details>
  </li>
);

/** The NodePools, with their limits and what they may launch. */
export const Pools = ({ pools }: { readonly pools: readonly PoolRow[] }) => (
  <section aria-labelledby="pools-title">
    <h2 id="pools-title">NodePools</h2>
    {pools.length === 0 ? <p class="quiet">There is no NodePool.</p> : null}
    <ul class="list">
      {pools.map((pool) => (
        <Pool key={pool.name} pool={pool} />
      ))}
    </ul>
  </section>
);
