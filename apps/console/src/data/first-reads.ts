import { pathOf } from '@outpost/client/client'
import { readsKey } from '../session/boot-names.ts'
import { getTenantId } from '../session/token.ts'

/** So many addresses are remembered, and so many reads of each. */
const most = { places: 12, reads: 6 } as const

interface FirstReads {
  tenantId: string | null
  paths: string[]
}

/** Where the page began; null where the address holds more than a path: what people search for is not kept in the open. */
const place = globalThis.location?.search === '' ? location.pathname : null
let noted: Set<string> | null = new Set()

/** Notes a read of the first screen; it is asked for early the next time this address is opened (session/early-script.ts). */
export function noteRead(path: string): void {
  if (noted && noted.size < most.reads && path !== pathOf('console.layout')) noted.add(path)
}

/** The first screen has what it shows: keeps what it asked for. Paths and identifiers alone, no content. */
export function keepFirstReads(): void {
  const paths = [...(noted ?? [])]
  noted = null
  if (place === null || paths.length === 0) return
  try {
    const { [place]: _, ...others } = JSON.parse(localStorage.getItem(readsKey) ?? '{}') as Record<string, FirstReads>
    const kept = [...Object.entries(others), [place, { tenantId: getTenantId(), paths }] as const].slice(-most.places)
    localStorage.setItem(readsKey, JSON.stringify(Object.fromEntries(kept)))
  } catch (error) {
    console.info('Browser storage is not available.', error)
  }
}
