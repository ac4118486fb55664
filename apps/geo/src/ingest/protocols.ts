import type { Codec } from './codec.ts'
import { gt06 } from './gt06/codec.ts'
import { h02 } from './h02/codec.ts'
import { teltonika } from './teltonika/codec.ts'

/** The protocols that devices speak over TCP and UDP, by name. */
export const protocols: ReadonlyMap<string, Codec> = new Map(Object.entries({ gt06, h02, teltonika }))

/** Speaks HTTP: phones, forwarded feeds, batches. */
export const httpProtocol = 'osmand'
