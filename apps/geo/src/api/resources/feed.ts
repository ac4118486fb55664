import { createHash, randomUUID } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { privateAddressMessage, isInsideHost } from '@outpost/platform/outgoing'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { baseFields, type Columns, type GeoResource, type Write } from '../crud/resource.ts'
import { fieldsOf, timeText } from '../../sql/fields.ts'
import { id, name } from '../input.ts'

const settable = {
  tenantId: id,
  name,
  isActive: z.boolean(),
  /** Base address of the Traccar server's REST API; null: no server is read. */
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address like https://traccar.example' })
    .max(300)
    .nullable(),
  /** A token of one of that server's users; never returned. */
  traccarToken: z.string().trim().min(1, 'is required').max(2_000),
  historyDays: z.int().min(0).max(1_000),
}
const { name: called, ...rest } = settable
/** Set by the call that creates a feed, never by the caller. */
const generatedToken = 'token'

/** A sender that forwards for many devices of a company (Traccar's forwarding, a batch client), and the server behind it. */
export const feed: GeoResource = {
  one: 'feed',
  many: 'feeds',
  table: 'feed',
  fields: {
    ...baseFields,
    ...fieldsOf(['name', 'isActive', 'url', 'historyDays']),
    nextRunAt: timeText(sql`t."nextRunAt"`),
    state: sql`(select c."cursor" ->> 'state' from geo.import_cursor c where c."companyId" = t."companyId" and c."source" = 'feed:' || t."id")`,
  },
  sorts: ['name', 'isActive', 'nextRunAt', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  create: z.strictObject({ name: called, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: (work) => {
    const { [generatedToken]: token, url, traccarToken, ...plain } = work.input
    const feedId = typeof work.before?.id === 'string' ? work.before.id : randomUUID()
    return {
      ...(plain as Columns),
      ...(work.before ? {} : { id: feedId }),
      ...(typeof token === 'string' ? { tokenHash: createHash('sha256').update(token).digest() } : {}),
      ...accessColumns(work, feedId),
    }
  },
}

/** Address and token are changed together, so that a token is never sent to an address it was not entered for. */
function accessColumns({ ctx, input, before }: Write, feedId: string): Columns {
  const { url, traccarToken } = input as { url?: string | null; traccarToken?: string }
  const refuse = (field: string, message: string) => fail('INVALID', { fields: [{ field, message }] })
  if (url === undefined && traccarToken === undefined) return {}
  if (url === null)
    return traccarToken === undefined
      ? { url: null, sealedToken: null, nextRunAt: null, importAskedAt: null }
      : refuse('traccarToken', 'needs an address')
  const address = url ?? (before?.url as string | null | undefined)
  if (typeof address !== 'string') return refuse('url', 'is required with a token')
  if (traccarToken === undefined) return address === before?.url ? {} : refuse('traccarToken', 'is required with a new address')
  if (isInsideHost(address) && !ctx.feeds.hosts.includes(new URL(address).hostname)) return refuse('url', privateAddressMessage)
  return {
    url: address,
    sealedToken: ctx.feeds.seal({ companyId: ctx.caller.company, feedId }, traccarToken),
    nextRunAt: new Date(ctx.now()),
  }
}
