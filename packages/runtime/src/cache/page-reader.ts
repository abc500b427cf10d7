import type { KubeClient, ObjectPage, PageOptions } from '../client/verbs/kube-client.ts';
import type { KubeObject } from '../objects/kube-object.ts';

/** Reads the page that a token leads to; the first one without a token. */
export type PageReader<T> = (token: string | undefined) => Promise<ObjectPage<T>>;

/**
 * Reads pages of a list, and asks for the next one while the caller is busy with the one before: the server's time is
 * not waited for twice. Pages of large objects are in memory one at a time.
 */
export const pageReader = <T extends KubeObject>(
  client: Pick<KubeClient, 'listPage'>,
  kind: string,
  options: PageOptions,
): PageReader<T> => {
  let ahead: { readonly token: string; readonly page: Promise<ObjectPage<T>> } | undefined;

  const ask = (token: string | undefined): Promise<ObjectPage<T>> =>
    client.listPage<T>(kind, { ...options, ...(token === undefined ? {} : { continue: token }) });

  const askAhead = (token: string): void => {
    const page = ask(token);
    // Whoever reads it hears of its failure; nobody has to read it.
    page.catch(() => undefined);
    ahead = { token, page };
  };

  return async (token) => {
    const asked = ahead !== undefined && ahead.token === token ? ahead.page : ask(token);
    ahead = undefined;
    const page = await asked;
    if (page.continue !== undefined && page.isReduced !== true) askAhead(page.continue);
    return page;
  };
};
