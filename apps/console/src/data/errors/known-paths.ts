import { callNames, callOf } from '@outpost/client/client'
import { patternsOf, type PatternOf } from '@outpost/rules/privacy/path-pattern'

let screens: readonly string[] = []
let known: PatternOf | undefined
let named: { patternOf: PatternOf; names: ReadonlyMap<string, string> } | undefined

/** The paths of the console's screens, as soon as they are known. */
export function knowScreens(paths: readonly string[]): void {
  screens = paths
  known = undefined
}

/** The pattern of a screen's address or a call's, as an error may tell it. */
export const patternOf: PatternOf = (address) => {
  known ??= patternsOf([...screens, ...callNames.map((name) => callOf(name).path)])
  return known(address)
}

/** The pattern of a screen's path; an address of no screen gives nothing away. */
export const screenOf = (address: string): string => patternOf(address) ?? '/…'

/** The name of a call; of one without a name the method only, for its path may be about anybody. */
export function callNameOf(method: string, address: string): string {
  named ??= namesOfCalls()
  return named.names.get(`${method} ${named.patternOf(`${method}${address}`)?.slice(method.length)}`) ?? method
}

function namesOfCalls(): NonNullable<typeof named> {
  const calls = callNames.map((name) => ({ name, ...callOf(name) }))
  return {
    patternOf: patternsOf(calls.map(({ method, path }) => `${method}${path}`)),
    names: new Map(calls.map(({ name, method, path }) => [`${method} ${path}`, name])),
  }
}
