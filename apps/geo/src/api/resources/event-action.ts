import { fail } from '@outpost/contract/errors'
import { insideWords, isInsideHost } from '@outpost/platform/outgoing'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { commandType } from '../../commands/catalogue.ts'
import { dangerOf } from '../../commands/danger.ts'
import { requirePeople } from '../crud/people.ts'
import { baseFields, type GeoResource, type Write } from '../crud/resource.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { attributes, id, name } from '../input.ts'
import { withJson } from './event-io.ts'

const people = { userIds: z.array(id).max(200).optional(), roles: z.array(z.string().max(80)).max(40).optional(), teamIds: z.array(id).max(100).optional() }
const emails = z.array(z.email('is not an e-mail address')).min(1, 'is required').max(50)
const phones = z.array(z.string().regex(/^\+?\d{6,15}$/, 'is not a phone number')).min(1, 'is required').max(50)
const namesSomebody = (to: Record<string, unknown>) => Object.values(to).some((list) => Array.isArray(list) && list.length > 0)

/** Others who are told, once, when nobody has taken note of the event after so many seconds. */
const escalation = {
  escalateAfterS: z.int().min(60).max(7 * 86_400).optional(),
  escalateTo: z.strictObject({ ...people, emails: emails.optional(), phones: phones.optional() }).refine(namesSomebody, 'names nobody: give userIds, roles, teamIds, emails or phones').optional(),
}
const isWhole = ({ escalateAfterS, escalateTo }: { escalateAfterS?: number | undefined, escalateTo?: unknown }) => (escalateAfterS === undefined) === (escalateTo === undefined)
const half = { path: ['escalateTo'], error: 'and escalateAfterS belong together' }

/** What an action of each kind must be told. */
const parameters = {
  notify: z.strictObject({ ...people, message: z.string().max(500).optional(), ...escalation })
    .refine(({ userIds, roles, teamIds }) => namesSomebody({ userIds, roles, teamIds }), 'names nobody: give userIds, roles or teamIds').refine(isWhole, half),
  email: z.strictObject({ to: emails, subject: z.string().max(200).optional(), message: z.string().max(4_000).optional(), ...escalation }).refine(isWhole, half),
  sms: z.strictObject({ to: phones, message: z.string().max(480).optional(), ...escalation }).refine(isWhole, half),
  webhook: z.strictObject({ url: z.url({ protocol: /^https$/, error: 'must be an address that begins with https://' }).refine((url) => !isInsideHost(url), insideWords), secret: z.string().min(16, 'needs at least 16 characters').max(200).optional(), ...escalation }).refine(isWhole, half),
  command: z.strictObject({ commandType, parameters: attributes.optional() })
    // Nobody stands by to see whether that is safe.
    .refine(({ commandType: type, parameters: given }) => dangerOf(type, given ?? {}) !== 'interlock', { path: ['commandType'], error: 'may not stop an engine: that takes two people' }),
}
type ActionType = keyof typeof parameters

const settable = {
  tenantId: id,
  name,
  eventIoId: id.nullable(),
  /** notify, email, sms, webhook or command; `type` says what kind of entity this is. */
  actionType: z.enum(Object.keys(parameters) as [ActionType, ...ActionType[]]),
  parameters: z.record(z.string(), z.unknown()),
  isActive: z.boolean(),
  attributes,
}
const { name: called, actionType, ...rest } = settable

/** What follows when a rule counts an event. */
export const eventAction: GeoResource = {
  one: 'eventAction',
  many: 'eventActions',
  table: 'event_action',
  joins: sql`left join geo.event_io e on e."companyId" = t."companyId" and e."id" = t."eventIoId"`,
  fields: {
    ...baseFields, type: sql`'eventAction'`, ...fieldsOf(['name', 'eventIoId', 'isActive', 'attributes']),
    actionType: sql`t."type"`, eventIo: sql`e."name"`,
    // The secret of a webhook is told to nobody again.
    parameters: sql`t."parameters" - 'secret'`,
  },
  sorts: ['name', 'actionType', 'isActive', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  create: z.strictObject({ type: z.literal('eventAction').optional(), name: called, actionType, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, type: z.literal('eventAction').optional(), version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: async (work) => {
    const { type: _, actionType: kind, ...plain } = work.input
    await refuseUnknownRule(work)
    const checked = checkedParameters(work)
    await refuseStrangers(work, checked.parameters)
    return withJson({ ...plain, ...(kind === undefined ? {} : { type: kind }), ...checked })
  },
}

/** A rule of somebody else's does not exist for the caller. */
async function refuseUnknownRule({ ctx, sql: db, input: { eventIoId } }: Write): Promise<void> {
  if (typeof eventIoId !== 'string') return
  const rule = await db.maybe(sql`select from geo.event_io where "companyId" = ${ctx.caller.company} and "id" = ${eventIoId} and "deletedAt" is null`)
  if (!rule) fail('INVALID', { fields: [{ field: 'eventIoId', message: 'is not there' }] })
}

async function refuseStrangers({ ctx, sql: db }: Write, { userIds = [], escalateTo }: Told = {}): Promise<void> {
  await requirePeople(ctx, db, userIds, 'parameters.userIds')
  await requirePeople(ctx, db, escalateTo?.userIds ?? [], 'parameters.escalateTo.userIds')
}

/** Who is told, of an action's parameters. */
interface Told { userIds?: string[], escalateTo?: { userIds?: string[] } }

function checkedParameters({ input, before }: Write): { parameters?: Told } {
  if (before !== undefined && input.actionType === undefined && input.parameters === undefined) return {}
  const kind = (input.actionType ?? before?.actionType) as ActionType
  return z.object({ parameters: parameters[kind] as z.ZodType<Told> }).parse({ parameters: input.parameters ?? before?.parameters ?? {} })
}
