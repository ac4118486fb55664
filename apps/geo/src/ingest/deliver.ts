import { validateFixes, storableAttributes, storableText, type RefusedFix } from './validate-fix.ts'
import type { Malformed, Reading, Report } from './report.ts'
import type { Store, StoreMeta } from './store.ts'

/** The sender, the same for everything in one request or connection. */
export type Sender = Pick<StoreMeta, 'protocol' | 'remote' | 'token' | 'isFeed' | 'takesCommand' | 'isHistory' | 'feed'>
/** Where reports are delivered; `now` in epoch milliseconds. */
export interface Delivery {
  store: Store
  now: () => number
}

/** The result of a report; refused fixes by their index in it. */
export interface Delivered {
  outcome: 'stored' | 'unknownDevice' | 'badToken'
  refused: RefusedFix[]
  command?: string
}

/** Validates a report and stores it; rejects when it could not be stored. */
export async function deliver(report: Report, sender: Sender, { store, now }: Delivery): Promise<Delivered> {
  const { fixes, indexes, refused } = validateFixes(report.fixes, now())
  const result = await store(report.uniqueId, fixes, { ...sender, token: report.token ?? sender.token, refused, ...sideData(report) })
  if (result.badToken) return { outcome: 'badToken', refused: [] }
  if (result.unknownDevice) return { outcome: 'unknownDevice', refused: [] }
  const later = result.refused.map((one) => ({ ...one, index: indexes[one.index] ?? one.index }))
  const seen = new Set(refused.map(({ index }) => index))
  return {
    outcome: 'stored',
    refused: [...refused, ...later.filter(({ index }) => !seen.has(index))],
    ...(result.command === undefined ? {} : { command: result.command }),
  }
}

/** Data that accompanies fixes, truncated and cleaned so that one sender's invalid data cannot fail a statement that many share. */
function sideData({ device, events, pushToken }: Report): Pick<StoreMeta, 'device' | 'events' | 'pushToken'> {
  const words = (text: string) => storableText(text.slice(0, maxLabelLength))
  return {
    ...(device ? { device: Object.fromEntries(Object.entries(device).map(([key, value]) => [key, words(String(value))])) } : {}),
    ...(events
      ? { events: events.map((event) => ({ ...event, type: words(event.type), attributes: storableAttributes(event.attributes) })) }
      : {}),
    ...(pushToken ? { pushToken: storableText(pushToken) } : {}),
  }
}
const maxLabelLength = 200

/** The result of one item of a list; `code` is 101 where a position cannot be used. */
export interface ItemResult {
  index: number
  status: 'accepted' | 'refused' | 'malformed' | 'unknownDevice' | 'badToken'
  code?: number
  field?: string
  message?: string
}

/** Delivers a list with one store call per device, and returns the result of each item in order. */
export async function deliverAll(readings: readonly Reading[], sender: Sender, delivery: Delivery): Promise<ItemResult[]> {
  const results: ItemResult[] = readings.map((reading, index) =>
    'malformed' in reading ? malformedItem(index, reading.malformed) : { index, status: 'accepted' },
  )
  await Promise.all(
    groupByDevice(readings).map(async ({ report, owners }) => {
      const { outcome, refused } = await deliver(report, sender, delivery)
      if (outcome !== 'stored')
        for (const index of new Set(owners.items)) results[index] = { index, status: outcome, message: outcomeMessages[outcome] }
      for (const { index: at, code, field, message } of refused) {
        const index = owners.fixes[at]
        if (index !== undefined) results[index] = { index, status: 'refused', code, field, message }
      }
    }),
  )
  return results
}

export const outcomeMessages = {
  unknownDevice: 'No device with this identifier is registered. It is listed for adoption.',
  badToken: 'The token is missing or wrong.',
} as const

const malformedItem = (index: number, { field, message }: Malformed): ItemResult => ({ index, status: 'malformed', field, message })

/** Groups items of one device (and secret) into one report; `owners` maps each fix to its item. */
function groupByDevice(readings: readonly Reading[]) {
  const groups = new Map<string, { report: Report; owners: { items: number[]; fixes: number[] } }>()
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
