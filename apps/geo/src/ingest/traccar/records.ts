import { z } from 'zod'
import type { Attributes } from '../../positions/fix.ts'
import type { DeviceLabels } from '../store.ts'
import { readAttributes, readNumber, readTime, toKph } from '../values.ts'

/** A device, fence, driver and group of a Traccar server, parsed for import; `traccarId` is its id on that server. */
export interface TraccarDevice {
  traccarId: number
  uniqueId: string
  words: DeviceLabels
  isDisabled: boolean
  lastUpdate: number | null
  groupId: number | null
  contact: string | null
  attributes: Attributes
}
/** `area` is Traccar's text (latitude first); metres and km/h. */
export interface TraccarFence {
  traccarId: number
  name: string
  description: string | null
  area: string
  routeWidth: number | null
  speedLimit: number | null
  attributes: Attributes
}
export interface TraccarGroup {
  traccarId: number
  name: string
  parentId: number | null
}
export interface TraccarDriver {
  traccarId: number
  uniqueId: string
  name: string
  attributes: Attributes
}

/** The parsed rows, and the skipped ones with their reason. */
export interface ParsedList<Row> {
  rows: Row[]
  skipped: { traccarId: number | null; message: string }[]
}

const text = z.string().trim().min(1)
const nullableText = z.string().nullish()
const deviceShape = z.object({
  id: z.number().int(),
  uniqueId: text.max(128),
  name: nullableText,
  phone: nullableText,
  model: nullableText,
  category: nullableText,
  disabled: z.boolean().nullish(),
  lastUpdate: nullableText,
  groupId: z.number().int().nullish(),
  contact: nullableText,
  attributes: z.unknown().optional(),
})
const groupShape = z.object({ id: z.number().int(), name: text, groupId: z.number().int().nullish() })
const fenceShape = z.object({ id: z.number().int(), name: text, description: nullableText, area: text, attributes: z.unknown().optional() })
const driverShape = z.object({ id: z.number().int(), uniqueId: text.max(128), name: text, attributes: z.unknown().optional() })

export const parseDevices = (list: readonly unknown[]): ParsedList<TraccarDevice> =>
  parseList(list, deviceShape, (one) => ({
    traccarId: one.id,
    uniqueId: one.uniqueId,
    isDisabled: one.disabled === true,
    lastUpdate: readTime(one.lastUpdate),
    attributes: readAttributes(one.attributes),
    // Traccar writes 0 for none.
    groupId: one.groupId || null,
    contact: one.contact || null,
    words: {
      ...(one.name ? { name: one.name } : {}),
      ...(one.phone ? { phone: one.phone } : {}),
      ...(one.model ? { model: one.model } : {}),
      ...(one.category ? { category: one.category } : {}),
    },
  }))

export const parseFences = (list: readonly unknown[]): ParsedList<TraccarFence> =>
  parseList(list, fenceShape, (one) => {
    const { speedLimit, polylineDistance, ...attributes } = readAttributes(one.attributes)
    return {
      traccarId: one.id,
      name: one.name,
      description: one.description || null,
      area: one.area,
      routeWidth: readNumber(polylineDistance),
      speedLimit: toKph(readNumber(speedLimit), 'kn'),
      attributes,
    }
  })

export const parseDrivers = (list: readonly unknown[]): ParsedList<TraccarDriver> =>
  parseList(list, driverShape, (one) => ({
    traccarId: one.id,
    uniqueId: one.uniqueId,
    name: one.name,
    attributes: readAttributes(one.attributes),
  }))

export const parseGroups = (list: readonly unknown[]): ParsedList<TraccarGroup> =>
  parseList(list, groupShape, (one) => ({ traccarId: one.id, name: one.name, parentId: one.groupId || null }))

function parseList<Shape extends z.ZodType, Row>(
  list: readonly unknown[],
  shape: Shape,
  make: (one: z.output<Shape>) => Row,
): ParsedList<Row> {
  const taken: ParsedList<Row> = { rows: [], skipped: [] }
  for (const one of list) {
    const read = shape.safeParse(one)
    if (read.success) taken.rows.push(make(read.data))
    else
      taken.skipped.push({
        traccarId: readNumber((one as { id?: unknown } | null)?.id),
        message: read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      })
  }
  return taken
}
