export { type CapacityReservation, groupNameOf, groupProblem, type GroupReading, reservationsOf } from './capacity-reservation.ts';
export { type OfferedReservation, ReservationBook, type ReservationName, type ReservedMachine } from './reservation-book.ts';
