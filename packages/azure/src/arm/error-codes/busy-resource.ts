import { innerRefusalsOf, refusalBodyIn } from './inner-refusals.ts';
import { textsIn } from '../calls/shape.ts';

/** Codes of the network when another operation writes the named resource. They come with 429, but are no throttling. */
const BUSY = new Set([
  'RetryableError',
  'RetryableErrorDueToAnotherOperation',
  'ReferencedResourceNotProvisioned',
  'AnotherOperationInProgress',
]);

/** Whether a code is about one resource that another operation holds. */
export const isOfBusyResource = (code: string): boolean => BUSY.has(code);

/**
 * Whether a 429 is about one resource, and not about the calls of the subscription: what else is called need not wait.
 * Source: Azure Resource Manager, "Request limits and throttling"; hashicorp/terraform#7153 and #7986.
 */
export const isAboutBusyResource = (text: string | null | undefined): boolean => {
  if (text?.includes('"code"') !== true) return false;
  const body = refusalBodyIn(text);
  return [textsIn(body)['code'] ?? '', ...innerRefusalsOf(body).map(({ code }) => code)].some(isOfBusyResource);
};
