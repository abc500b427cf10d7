import { checkRegistration } from './check-registration.ts';
import { checkReservations } from './check-reservations.ts';
import { checkTogether } from './check-together.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import type { RuleBook } from './rule-book.ts';

/** Rules about abilities that a provider keeps with the ability or without it. */
export const describeEitherWay = ({ mandatory }: RuleBook, start: () => Promise<ProviderUnderTest>): void => {
  mandatory('R29', async () => {
    await using subject = await start();
    await checkRegistration(subject);
  });

  mandatory('R30', async () => {
    await using subject = await start();
    await checkReservations(subject);
  });

  mandatory('R31', async () => {
    await using subject = await start();
    await checkTogether(subject);
  });
};
