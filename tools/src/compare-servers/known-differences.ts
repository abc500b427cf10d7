/** A difference that is known and left, with its reason. `change` matches the text of a mutation. */
export interface KnownDifference {
  readonly kind: RegExp;
  readonly change: RegExp;
  readonly why: string;
}

/** What the embedded server does otherwise. A difference that is not here fails the comparison. */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    kind: /^pod$/,
    change: /preferredDuring.*preference\.matchExpressions\.0\.values/,
    why: 'the values of a preference are checked as those of a requirement are, and only the real server lets wrong ones pass',
  },
  {
    kind: /^(deployment|daemonset|statefulset|pv)$/,
    change: /^spec\.(template\.metadata\.labels|capacity)(\.\w+)? = (\{\}|\(none\))$/,
    why: 'an empty map is reported as a missing one in the text of the error',
  },
  {
    kind: /^statefulset$/,
    change: /^spec\.(selector\.matchLabels|template\.metadata\.labels)\.app/,
    why: 'the real server says the same error twice',
  },
  {
    kind: /^storageclass$/,
    change: /^allowedTopologies\.0\.matchLabelExpressions = \[/,
    why: 'a key twice in one term is not searched for',
  },
  { kind: /^pv$/, change: /^spec\.capacity\.storage = "-1"$/, why: 'a negative capacity is reported in other words' },
  { kind: /^csinode$/, change: /^spec\.drivers(\.0)? = (\[\]|\(none\))$/, why: 'an empty list of drivers stays a list' },
  { kind: /^job$/, change: /^metadata\.name/, why: 'the labels that a job takes from its name are found wrong once more' },
];

/** The entry that covers a difference. */
export const knownDifference = (kind: string, change: string): KnownDifference | undefined =>
  KNOWN_DIFFERENCES.find((known) => known.kind.test(kind) && known.change.test(change));
