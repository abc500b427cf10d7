import type { ArmReply } from '../serve/route.ts';
import type { TokenService } from './token-service.ts';

interface Gate {
  readonly tokens: TokenService;
  readonly audience: string;
  readonly authorizationUri: string;
}

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
      return unauthorized(gate, 'ExpiredAuthenticationToken', 'The access token is expired or has been revoked.');
  }
};
