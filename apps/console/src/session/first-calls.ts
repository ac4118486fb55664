import { firstCallsKey } from './boot-names.ts'
import { getTenantId } from './token.ts'

/** How many addresses are remembered, and the longest entry: a device is not filled with filters. */
const [mostAddresses, longest] = [8, 4_000]

let noted: Set<string> | undefined

/** Notes the address of a GET that was answered, while somebody wants to know. */
export const noteCall = (address: string): void => void (address !== '' && noted?.add(address))

/** Begins to note what is asked for, until `end`. */
export function noteCalls(): { end(): void; noted(): string[] } {
  const mine = new Set<string>()
  noted = mine
  return { end: () => void (noted === mine && (noted = undefined)), noted: () => [...mine] }
}

/** Remembers on this device what the screen at an address asks for first, so that the boot script asks for it next time. */
export function keepFirstCalls(address: string, calls: readonly string[]): void {
  const tenantId = getTenantId()
  if (!tenantId || calls.length === 0 || JSON.stringify([address, calls]).length > longest) return
  try {
    const { [address]: _former, ...others } = JSON.parse(localStorage.getItem(firstCallsKey) ?? '{}') as Record<string, unknown>
    const newest = [...Object.entries(others).slice(1 - mostAddresses), [address, { tenantId, calls }]]
    localStorage.setItem(firstCallsKey, JSON.stringify(Object.fromEntries(newest)))
  } catch (error) {
    console.info('The first calls of a screen are not remembered.', error)
  }
}
