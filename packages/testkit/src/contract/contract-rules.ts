/**
 * Rules without which core does not work, whatever a cloud can do. Number → what is so; `docs/provider-contract.md`
 * says the same, with the why.
 */
export const mandatoryRules = {
  R1: 'names itself in small letters, and reads the kind of NodeClass that its pool names',
  R2: 'knows the labels that every cloud has, beside its own',
  R3: 'sells instance types, each under a name of its own',
  R4: 'gives the same objects for its instance types until something has changed',
  R5: 'says what the nodes of a type will be: type, architecture, system, zone, capacity type',
  R6: 'sells by offerings with a zone, a capacity type and a price, which the type allows for while they last',
  R7: 'says more cpu and memory than is kept back of them, and room for pods',
  R8: 'answers a launch with what the machine is, and makes one that has room for what the claim asks',
  R9: 'heeds the instance types, the zone and the capacity type that a claim names',
  R10: 'gives the first machine again when the same claim is launched again',
  R11: 'makes one machine for one claim, also with two calls at once',
  R12: 'makes two machines for two claims',
  R13: 'refuses a claim that nothing on sale satisfies for want of capacity, and leaves nothing behind',
  R14: 'refuses a claim whose NodeClass is not there for that',
  R15: 'lets everything that an aborted launch left behind be deleted',
  R16: 'finds a machine by its id, as the launch returned it',
  R17: 'answers that a machine is not there without an error',
  R18: 'lists its machines with the names of the claims that they were made for',
  R19: 'calls no machine drifted that was just made',
  R20: 'answers whether a machine has drifted, and does not fail, when it is gone',
  R21: 'says of a deleted machine that it is terminating until it is gone, and then shows it nowhere',
  R22: 'lists a machine that is on its way out as terminating, or not at all',
  R23: 'deletes by the name of a claim that never learnt the id of its machine',
  R24: 'says at once that what was never launched is gone',
  R25: 'says which conditions mean that a node is broken, each once, and how long to bear them',
  R29: 'leaves registration to core, which its hooks may put off: each has a name of its own, and comes true once the node has joined',
  R30: 'sells reserved capacity only out of a reservation that it names, counts down, and sells no further than it reaches',
  R31: 'answers each claim of several that come together by itself, with at most as many calls as claims, and fewer where one call launches several',
  R35: 'fails when its cloud does not answer: never does it say for that reason that a machine is not there, or gone',
  R36: 'makes a machine for a claim that the smallest type has no room for, with at least what its type says',
  R37: 'states a launch timeout, a default grace period and unsupported volumes only if it has them, in a form that core can read',
} as const;

/** Rules about what a cloud may not have. Who does not keep one says why. */
export const optionalRules = {
  R26: 'remembers what was out of stock: it stays listed, and is not offered for a while',
  R27: 'calls a machine drifted whose NodeClass asks for another one since',
  R28: 'reports the end that the cloud has announced for a node, and none for a node that is left alone',
  R32: 'brings a machine that runs to what its NodeClass asks for since, and calls it not drifted for that',
  R33: 'reports a machine that its cloud accepted and failed to make, blocks what ran out, and has nothing left once the machine is deleted',
  R34: 'picks the machine of a claim by the prices and the resources that core planned with',
} as const;

export type MandatoryRule = keyof typeof mandatoryRules;
export type OptionalRule = keyof typeof optionalRules;

/** Rule → why this provider does not keep it, in words for people who choose a provider. */
export type SkippedRules = Readonly<Partial<Record<OptionalRule, string>>>;
