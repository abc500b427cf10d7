import type { ArmBehaviours } from '../behaviours.ts';
import { type ArmRefusal, refusal } from '../faults/arm-error.ts';
import type { ArmRequest } from '../serve/route.ts';
import { typeIn } from './type-in.ts';

type Registrations = Pick<ArmBehaviours, 'missingProviders' | 'unregisteredProviders'>;

const has = (namespaces: readonly string[], namespace: string): boolean =>
  namespaces.some((each) => each.toLowerCase() === namespace.toLowerCase());

export const isMissing = ({ missingProviders }: Registrations, namespace: string): boolean => has(missingProviders, namespace);

export const isUnregistered = ({ unregisteredProviders }: Registrations, namespace: string): boolean =>
  has(unregisteredProviders, namespace);

export const noSuchNamespace = (namespace: string): ArmRefusal =>
  refusal(404, 'InvalidResourceNamespace', `The resource namespace '${namespace}' is invalid.`);

/** Why the resource provider of a request never sees it; undefined when it does. */
export const registrationRefusal = (registrations: Registrations, { method, path }: ArmRequest): ArmRefusal | undefined => {
  const namespace = typeIn(method, path)?.namespace ?? '';
  if (isMissing(registrations, namespace)) return noSuchNamespace(namespace);
  if (!isUnregistered(registrations, namespace)) return undefined;
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`;
  return refusal(409, 'MissingSubscriptionRegistration', message);
};
