import { countText, percentText } from '@karpenter/cli/amounts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Totals } from '../state/dashboard-state.ts';
import { withPriceNow } from '../view/price-series.ts';
import { dollars, dollarsAMonth } from '../view/texts.ts';
import { DecisionList, PendingPodList, Pools } from './lists.tsx';
import { followState, type Live } from './live.ts';
import { NodeList } from './node-list.tsx';
import { NodeMap } from './node-map.tsx';
import { PriceChart } from './price-chart.tsx';
import { WhatIfForm } from './what-if.tsx';
import './page.css';

const Figure = ({ label, value, note = '' }: { readonly label: string; readonly value: string; readonly note?: string }) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>
      {value} <span class="quiet">{note}</span>
    </dd>
  </div>
);

const Header = ({ totals, isConnected }: { readonly totals: Totals; readonly isConnected: boolean }) => {
  const { pricePerHour, unknownPrices, pendingPods } = totals;
  const unknown = unknownPrices === 0 ? '' : `, ${countText(unknownPrices, 'node')} without a price`;
  return (
    <header>
      <div class="bar">
        <h1>Karpenter</h1>
        <p class={isConnected ? 'live' : 'live lost'} role="status">
          {isConnected ? 'live' : 'not connected, trying again'}
        </p>
      </div>
      <dl class="figures">
        <Figure label="Price" value={`${dollars(pricePerHour)}/h`} note={`${dollarsAMonth(pricePerHour)} a month${unknown}`} />
        <Figure label="Nodes" value={totals.nodes.toLocaleString('en-US')} />
        <Figure
          label="Pods"
          value={totals.pods.toLocaleString('en-US')}
          note={pendingPods === 0 ? '' : `${pendingPods.toLocaleString('en-US')} pending`}
        />
        <Figure label="CPU" value={percentText(totals.cpuShare)} note="requested" />
        <Figure label="Memory" value={percentText(totals.memoryShare)} note="requested" />
      </dl>
    </header>
  );
};

const Page = () => {
  const [{ state, isConnected }, setLive] = useState<Live>({ state: undefined, isConnected: false });
  useEffect(() => followState(setLive), []);
  if (state === undefined) return <p class="waiting">Reading the cluster …</p>;
  return (
    <>
      <Header totals={state.totals} isConnected={isConnected} />
      <main>
        <NodeMap nodes={state.nodes} />
        <NodeList nodes={state.nodes} />
        <div class="columns">
          <PriceChart points={withPriceNow(state.prices, state.totals, Date.now())} />
          <PendingPodList groups={state.pending} />
          <DecisionList rows={state.decisions} isLeader={state.isLeader} />
          <Pools pools={state.pools} />
        </div>
        <WhatIfForm />
      </main>
    </>
  );
};

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  render(<Page />, root);
}
