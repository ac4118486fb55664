import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

/** The path's id of one record. */
export const id = identifierSchema

/** Attributes by name. Also accepts the lists [{type, value}] and [{t, v}] that the console's forms send. */
export const attributes = z.preprocess(
  fromList,
  z
    .record(z.string().min(1).max(80), z.union([z.string().max(2_000), z.number(), z.boolean()]))
    .refine((value) => Object.keys(value).length <= 100, 'may hold 100 names at most'),
)

function fromList(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const pairs = value.map((one: unknown) => {
    const { type, value: long, t, v } = (one ?? {}) as Record<string, unknown>
    return [typeof type === 'string' ? type : t, long === undefined ? v : long] as const
  })
  // Invalid pairs are left as a list, which the schema then refuses by name.
  return pairs.every(([key]) => typeof key === 'string') ? Object.fromEntries(pairs as [string, unknown][]) : value
}

/** A name given by a person. */
export const name = z.string().trim().min(1, 'is required').max(120)

/** YYYY-MM-DD in the company's calendar. */
export const day = z.iso.date('is not a day (YYYY-MM-DD)')

/** A time, ISO 8601 with offset. A date alone is its first moment in UTC. */
export const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'is not a time (ISO 8601)')
  .transform((text) => new Date(text))

export const yesNo = z
  .union([z.boolean(), z.enum(['true', 'false', '0', '1'])])
  .transform((value) => value === true || value === 'true' || value === '1')

const sortOrder = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.enum(['ASC', 'DESC']))

/** The query of a list call. An empty search or `%%` matches everything. */
export const listShape = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(10_000).default(100),
  sortField: z.string().max(60).optional(),
  sortOrder: sortOrder.optional(),
  search: z
    .string()
    .max(200)
    .refine((value) => !value.includes('\0'), 'may not hold the NUL character')
    .optional(),
}
const listObject = z.strictObject(listShape)
export type ListInput = z.infer<typeof listObject>

/** The search text, or undefined. Strips the specification's `%` wildcards. */
export function searchText({ search }: Pick<ListInput, 'search'>): string | undefined {
  const text = search?.replaceAll('%', '').trim()
  return text === '' ? undefined : text
}
