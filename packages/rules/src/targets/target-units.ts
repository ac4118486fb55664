/** How an amount is written and split: whole things, whole days, or money to the cent. */
export type TargetUnit = 'count' | 'days' | 'money'

/** Decimals in which amounts of the unit are split. */
export const decimalsOf = (unit: TargetUnit) => (unit === 'money' ? 2 : 0)
