/** A named sum of a calculator screen: from what was entered to figures with their words. */
export type Sum = (values: Record<string, unknown>) => { label: string, value: number, unit?: 'money' | 'percent' | 'number' }[]

/** The sums this console knows, by the name a calculator view carries; those of lending come from packages/rules. */
export const sums: Readonly<Record<string, Sum>> = {}
