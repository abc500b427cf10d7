import type { ArmReply } from '../serve/route.ts';
import type { TokenService } from './token-service.ts';

interface Gate {
  readonly tokens: TokenService;
  readonly audience: string;
  readonly authorizationUri: string;
}

/** What a client has to send along for a token that is not from its cache: one that was issued after now. */
const freshClaims = Buffer.from(JSON.stringify({ access_token: { nbf: { essential: true, value: '1' } } })).toString('base64');

/** Asks for a new token, as Continuous Access Evaluation does when one was revoked. */
const challenged = (gate: Gate, message: string): ArmReply => ({
  status: 401,
  headers: {
    'WWW-Authenticate': `Bearer realm="", authorization_uri="${gate.authorizationUri}", error="insufficient_claims", claims="${freshClaims}"`,
  },
  body: { error: { code: 'ExpiredAuthenticationToken', message } },
});

const unauthorized = (gate: Gate, code: string, message: string): ArmReply => ({
  status: 401,
  headers: {
    'WWW-Authenticate': `Bearer authorization_uri="${gate.authorizationUri}", error="invalid_token", error_description="${message}"`,
  },
  body: { error: { code, message } },
});

/** Why ARM does not let a request in, or undefined. */
export const bearerRefusal = (gate: Gate, authorization: string | undefined): ArmReply | undefined => {
  if (authorization === undefined)
    return unauthorized(gate, 'AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing.");
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (token === undefined)
    return unauthorized(
      gate,
      'AuthenticationFailedInvalidHeader',
      "Authentication failed. The 'Authorization' header is provided in an invalid format.",
    );
  switch (gate.tokens.judge(token, gate.audience)) {
    case 'valid':
      return undefined;
    case 'malformed':
      return unauthorized(gate, 'InvalidAuthenticationToken', 'The access token is invalid.');
    case 'wrong-audience':
      return unauthorized(
        gate,
        'InvalidAuthenticationTokenAudience',
        `The access token has been obtained for the wrong audience or resource. It should exactly match with '${gate.audience}'.`,
      );
    case 'revoked':
      return challenged(gate, 'The access token is expired or has been revoked.');
  }
};
