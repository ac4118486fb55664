import { validateFixes, storableAttributes, storableText, type RefusedFix } from './validate-fix.ts'
import type { Malformed, Reading, Report } from './report.ts'
import type { Store, StoreMeta } from './store.ts'

/** Who sends, the same for all that one request or socket brings. */
export type Sender = Pick<StoreMeta, 'protocol' | 'remote' | 'token' | 'isFeed' | 'takesCommand' | 'isHistory' | 'feed'>
/** Where reports go: `now` in epoch milliseconds. */
export interface Delivery { store: Store, now: () => number }

/** What became of a report; refused fixes by their index in it. */
export interface Delivered { outcome: 'stored' | 'unknownDevice' | 'badToken', refused: RefusedFix[], command?: string }

/** Passes a report through the gate and into the store; rejects when it could not be kept. */
export async function deliver(report: Report, sender: Sender, { store, now }: Delivery): Promise<Delivered> {
  const { fixes, indexes, refused } = validateFixes(report.fixes, now())
  const result = await store(report.uniqueId, fixes, { ...sender, token: report.token ?? sender.token, refused, ...alongside(report) })
  if (result.badToken) return { outcome: 'badToken', refused: [] }
  if (result.unknownDevice) return { outcome: 'unknownDevice', refused: [] }
  const later = result.refused.map((one) => ({ ...one, index: indexes[one.index] ?? one.index }))
  const seen = new Set(refused.map(({ index }) => index))
  return {
    outcome: 'stored', refused: [...refused, ...later.filter(({ index }) => !seen.has(index))],
    ...(result.command === undefined ? {} : { command: result.command }),
  }
}

/** What comes along with fixes, cut and cleaned so that one sender's rubbish cannot stop a statement that many share. */
function alongside({ device, events, pushToken }: Report): Pick<StoreMeta, 'device' | 'events' | 'pushToken'> {
  const words = (text: string) => storableText(text.slice(0, longestWords))
  return {
    ...(device ? { device: Object.fromEntries(Object.entries(device).map(([key, value]) => [key, words(String(value))])) } : {}),
    ...(events ? { events: events.map((event) => ({ ...event, type: words(event.type), attributes: storableAttributes(event.attributes) })) } : {}),
    ...(pushToken ? { pushToken: storableText(pushToken) } : {}),
  }
}
const longestWords = 200

/** What became of one item of a list; `code` is 101 where a position cannot be used. */
export interface ItemResult { index: number, status: 'accepted' | 'refused' | 'malformed' | 'unknownDevice' | 'badToken', code?: number, field?: string, message?: string }

/** Delivers a list with one call of the store a device, and says for each item what became of it, in order. */
export async function deliverAll(readings: readonly Reading[], sender: Sender, delivery: Delivery): Promise<ItemResult[]> {
  const results: ItemResult[] = readings.map((reading, index) => ('malformed' in reading ? malformedItem(index, reading.malformed) : { index, status: 'accepted' }))
  await Promise.all(groupByDevice(readings).map(async ({ report, owners }) => {
    const { outcome, refused } = await deliver(report, sender, delivery)
    if (outcome !== 'stored') for (const index of new Set(owners.items)) results[index] = { index, status: outcome, message: outcomeWords[outcome] }
    for (const { index: at, code, field, message } of refused) {
      const index = owners.fixes[at]
      if (index !== undefined) results[index] = { index, status: 'refused', code, field, message }
    }
  }))
  return results
}

export const outcomeWords = {
  unknownDevice: 'No device with this identifier is registered. It is listed for adoption.',
  badToken: 'The token is missing or wrong.',
} as const

const malformedItem = (index: number, { field, message }: Malformed): ItemResult => ({ index, status: 'malformed', field, message })

/** Items of one device (and secret) become one report; `owners` says which item each fix came from. */
function groupByDevice(readings: readonly Reading[]) {
  const groups = new Map<string, { report: Report, owners: { items: number[], fixes: number[] } }>()
  readings.forEach((reading, index) => {
    if ('malformed' in reading) return
    const { report } = reading
    const key = JSON.stringify([report.uniqueId, report.token])
    const group = groups.get(key) ?? { report: { ...report, fixes: [], events: [] }, owners: { items: [], fixes: [] } }
    groups.set(key, group)
    group.owners.items.push(index)
    group.report.fixes.push(...report.fixes)
    group.owners.fixes.push(...report.fixes.map(() => index))
    group.report.events?.push(...(report.events ?? []))
  })
  return [...groups.values()]
}
