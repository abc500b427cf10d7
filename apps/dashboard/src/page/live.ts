import type { DashboardState, StateChange } from '../state/dashboard-state.ts';
import { withChange } from '../state/state-feed.ts';

/** What the page knows. */
export interface Live {
  readonly state: DashboardState | undefined;
  readonly isConnected: boolean;
}

/**
 * Follows the events of the server; the browser connects again by itself, and then gets the whole state again. Returns
 * how to stop.
 */
export const followState = (show: (live: Live) => void): (() => void) => {
  let live: Live = { state: undefined, isConnected: false };
  const set = (next: Partial<Live>): void => {
    live = { ...live, ...next };
    show(live);
  };
  const events = new EventSource('api/events');
  // What the server sends is the state that its types describe.
  const dataOf = (event: Event): unknown => JSON.parse(String((event as MessageEvent).data));
  events.addEventListener('state', (event) => set({ state: dataOf(event) as DashboardState, isConnected: true }));
  events.addEventListener('change', (event) => {
    const started = performance.now();
    if (live.state !== undefined) set({ state: withChange(live.state, dataOf(event) as StateChange) });
    performance.measure('karpenter-change', { start: started });
  });
  events.addEventListener('error', () => set({ isConnected: false }));
  return () => events.close();
};

/** GETs JSON. */
export const read = async <T>(path: string): Promise<T> => (await fetch(path)).json() as Promise<T>;

/** POSTs a question, and gives the answer or the refusal. */
export const ask = async <T>(path: string, question: unknown): Promise<T> => {
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) });
  return response.json() as Promise<T>;
};
