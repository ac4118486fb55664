import { cached, putCached } from './store/views-cache.ts'

/** A record that may be chosen, by its id and its name. */
export interface KeptOption {
  value: string
  label: string
}

const placeOf = (type: string) => `options:${type}`

/** Keeps the names of a kind's records, so that they can be chosen and shown without a connection. */
export const keepOptions = (type: string, options: readonly KeptOption[]): Promise<void> => putCached(placeOf(type), options)

/** The names kept last; none when there are none. */
export const keptOptions = async (type: string): Promise<readonly KeptOption[]> => (await cached<KeptOption[]>(placeOf(type))) ?? []
