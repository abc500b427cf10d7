import { percentText } from '@karpenter/cli/amounts';
import { useEffect, useState } from 'preact/hooks';
import type { PodRow } from '../serve/pod-rows.ts';
import type { NodeTile } from '../state/dashboard-state.ts';
import { fillOf } from '../view/tile-grid.ts';
import { ageText, dollars } from '../view/texts.ts';
import { read } from './live.ts';

const ROWS_SHOWN = 30;

const factsOf = (tile: NodeTile): readonly (readonly [string, string])[] => [
  ['NodePool', tile.nodePool ?? 'none: not Karpenter’s'],
  ['Instance type', tile.instanceType || '?'],
  ['Zone', tile.zone || '?'],
  ['Capacity', tile.capacityType || '?'],
  ['State', tile.state],
  ['CPU, memory', `${percentText(fillOf(tile, 'cpu'))}, ${percentText(fillOf(tile, 'memory'))} requested`],
  ['Pods', `${tile.pods.requested} of ${tile.pods.allocatable}`],
  ['Price', tile.pricePerHour === undefined ? 'not known' : `${dollars(tile.pricePerHour)}/h`],
  ['Age', tile.createdAtMs === undefined ? '?' : ageText(Date.now() - tile.createdAtMs)],
  ['Stays because of', tile.heldBy || 'nothing'],
];

/** What is known of one node, and its pods. */
export const NodeDetails = ({ tile, close }: { readonly tile: NodeTile; readonly close: () => void }) => {
  const [pods, setPods] = useState<readonly PodRow[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void read<readonly PodRow[]>(`api/nodes/${encodeURIComponent(tile.name)}`).then((rows) => {
      if (isCurrent) setPods(Array.isArray(rows) ? rows : []);
    });
    return () => void (isCurrent = false);
  }, [tile]);
  return (
    <div class="details">
      <div class="bar">
        <h3>{tile.name}</h3>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <dl>
        {factsOf(tile).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="scroll" tabIndex={0} role="region" aria-label={`Pods of ${tile.name}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Pod</th>
              <th scope="col">CPU</th>
              <th scope="col">Memory</th>
            </tr>
          </thead>
          <tbody>
            {pods.slice(0, ROWS_SHOWN).map(({ name, cpu, memory, isOfDaemonSet }) => (
              <tr key={name} class={isOfDaemonSet ? 'quiet' : ''}>
                <td>{name}</td>
                <td>{cpu}</td>
                <td>{memory}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {pods.length > ROWS_SHOWN ? <p class="quiet">and {pods.length - ROWS_SHOWN} smaller ones</p> : null}
      </div>
    </div>
  );
};
