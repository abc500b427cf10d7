import type { MachineBackend } from './machine-backend.ts';

/** Finds and deletes existing machines. */
export type MachineStock = Omit<MachineBackend, 'launch'>;

/** Machines of two kinds: those that are made now, and behind them those that another way of making them has left. */
export const joinedStock = (now: MachineStock, before: MachineStock): MachineStock => ({
  find: async (name, signal) => (await now.find(name, signal)) ?? before.find(name, signal),
  made: async (name, signal) => (await now.made(name, signal)) || before.made(name, signal),
  remove: async (name, signal) => {
    const outcome = await now.remove(name, signal);
    return outcome === 'gone' ? before.remove(name, signal) : outcome;
  },
});
