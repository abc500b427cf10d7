import { asReserved, type VmFacts } from '../machines/index.ts';
import type { ReservationBook } from '../reservations/index.ts';

/** A machine as it is paid for: out of the reservation that it was made out of, as long as that is there. */
export const recognized = ({ reservations }: { readonly reservations: Pick<ReservationBook, 'behind'> }, vm: VmFacts): VmFacts =>
  asReserved(vm, reservations.behind(vm));
