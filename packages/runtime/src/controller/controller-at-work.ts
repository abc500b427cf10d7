import { AsyncLocalStorage } from 'node:async_hooks';

const names = new AsyncLocalStorage<string>();

/** Does something in the name of a controller. */
export const workingFor = <T>(controller: string, work: () => T): T => names.run(controller, work);

/**
 * The controller for which this code runs, through whatever calls; undefined outside of all. For labels of metrics:
 * nothing that is decided may depend on it.
 */
export const controllerAtWork = (): string | undefined => names.getStore();
