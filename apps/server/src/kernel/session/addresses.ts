import { fail } from '@outpost/contract/errors'
import { isInRanges } from '@outpost/platform/http/address'

/** An entry of a list: addresses, and whose list it is in: `user` is an account of a program. */
export interface AddressRule {
  appliesTo: 'company' | 'role' | 'user'
  range: string
}

/** The narrower list holds: that of the API user, else those of the roles, else the company's. */
const narrowestFirst = ['user', 'role', 'company'] as const

/** The ranges that hold for whom these entries are about; null where there is no list: from anywhere. */
export function rangesOf(rules: readonly AddressRule[]): readonly string[] | null {
  const kind = narrowestFirst.find((one) => rules.some(({ appliesTo }) => appliesTo === one))
  return kind === undefined ? null : rules.filter(({ appliesTo }) => appliesTo === kind).map(({ range }) => range)
}

/** True where there is no list, or the address is on it. */
export const isAllowed = (ranges: readonly string[] | null, ip: string | null): boolean =>
  ranges === null || (ip !== null && isInRanges(ip, ranges))

/** Stops with ADDRESS_FORBIDDEN when the caller's list does not hold the address. `hasIpLists`: false where the operator has switched the lists off. */
export function requireAddress(
  { hasIpLists }: { hasIpLists: boolean },
  { ranges }: { ranges: readonly string[] | null },
  ip: string | null,
): void {
  if (hasIpLists && !isAllowed(ranges, ip)) fail('ADDRESS_FORBIDDEN')
}
