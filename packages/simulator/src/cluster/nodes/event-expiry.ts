import { every, type StartController } from '../control/control-deps.ts';
import { events } from '../control/event-writer.ts';

const SWEEP_MS = 60_000;
/** As kube-apiserver's `--event-ttl` has it. */
const TTL_MS = 3_600_000;

/** Forgets events that nobody renewed for an hour. */
export const startEventExpiry: StartController = ({ api, clock }) =>
  every(clock, SWEEP_MS, () => {
    for (const { metadata, lastTimestamp } of api.list(events)) {
      const lastMs = Date.parse(lastTimestamp);
      const { name = '', namespace } = metadata;
      if (clock.now() - lastMs > TTL_MS) api.delete(events, { name, namespace });
    }
  });
