import { ok } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';

export const AUXILIARY_TOKENS_PATH = '/auxiliary/token';

const LIFETIME_MS = 3_600_000;

const timeOf = (ms: number): string => new Date(ms).toISOString();

const token = ({ world, request }: { readonly world: ArmWorld; readonly request: ArmRequest }): ArmReply => {
  const audience = /^(\S+?)\/\.default$/.exec(request.query.get('scope') ?? '')?.[1];
  if (audience === undefined) return { status: 400, body: { error: 'invalid_scope' } };
  const now = world.clock.now();
  return ok({
    Token: world.tokens.issue(audience, 'image-galleries'),
    ExpiresOn: timeOf(now + LIFETIME_MS),
    RefreshOn: timeOf(now + LIFETIME_MS / 2),
  });
};

/** The server beside an AKS control plane that gives out tokens for the tenant of the shared image galleries. */
export const auxiliaryTokenRoute = (world: ArmWorld): ArmRoute => ({
  operation: 'AuxiliaryToken_Get',
  method: 'GET',
  path: AUXILIARY_TOKENS_PATH,
  anonymous: true,
  handle: (request) => token({ world, request }),
});
