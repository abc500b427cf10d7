import { createHmac, timingSafeEqual } from 'node:crypto';

export type TokenJudgement = 'valid' | 'malformed' | 'wrong-audience' | 'revoked';

const base64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Claims {
  readonly aud: string;
  readonly generation: number;
}

/**
 * Signed tokens in the form of a JWT, good until they are revoked: clients renew them by their own clock, which need
 * not be the emulator's.
 */
export class TokenService {
  readonly #secret: string;
  #generation = 0;
  #serial = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @param audience whom the token is for: the resource, without `/.default` */
  issue(audience: string, subject: string): string {
    this.#serial += 1;
    const claims = { aud: audience, sub: subject, generation: this.#generation, serial: this.#serial };
    const signed = `${base64Url({ alg: 'HS256', typ: 'JWT' })}.${base64Url(claims)}`;
    return `${signed}.${this.#sign(signed)}`;
  }

  judge(token: string, audience: string): TokenJudgement {
    const claims = this.#claimsOf(token);
    if (claims === undefined) return 'malformed';
    if (claims.aud.replace(/\/$/, '') !== audience.replace(/\/$/, '')) return 'wrong-audience';
    return claims.generation === this.#generation ? 'valid' : 'revoked';
  }

  revokeAll(): void {
    this.#generation += 1;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }

  #claimsOf(token: string): Claims | undefined {
    const [header = '', claims = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.#sign(`${header}.${claims}`));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Claims;
  }
}
