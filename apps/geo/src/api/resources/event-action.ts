import { fail } from '@outpost/contract/errors'
import { privateAddressMessage, isInsideHost } from '@outpost/platform/outgoing'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { commandType } from '../../commands/catalogue.ts'
import { dangerOf } from '../../commands/danger.ts'
import { requirePeople } from '../crud/people.ts'
import { baseFields, type GeoResource, usualFilters, type Write } from '../crud/resource.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { attributes, id, name } from '../input.ts'
import { withJson } from './event-io.ts'

const people = {
  userIds: z.array(id).max(200).optional(),
  roles: z.array(z.string().max(80)).max(40).optional(),
  teamIds: z.array(id).max(100).optional(),
}
const emails = z.array(z.email('is not an e-mail address')).min(1, 'is required').max(50)
const phones = z
  .array(z.string().regex(/^\+?\d{6,15}$/, 'is not a phone number'))
  .min(1, 'is required')
  .max(50)
const hasRecipients = (to: Record<string, unknown>) => Object.values(to).some((list) => Array.isArray(list) && list.length > 0)

/** Further recipients, notified once when nobody has acknowledged the event after this many seconds. */
const escalation = {
  escalateAfterS: z
    .int()
    .min(60)
    .max(7 * 86_400)
    .optional(),
  escalateTo: z
    .strictObject({ ...people, emails: emails.optional(), phones: phones.optional() })
    .refine(hasRecipients, 'names nobody: give userIds, roles, teamIds, emails or phones')
    .optional(),
}
const isWhole = ({ escalateAfterS, escalateTo }: { escalateAfterS?: number | undefined; escalateTo?: unknown }) =>
  (escalateAfterS === undefined) === (escalateTo === undefined)
const half = { path: ['escalateTo'], error: 'and escalateAfterS belong together' }

/** Parameters of each kind of action. */
const parameters = {
  notify: z
    .strictObject({ ...people, message: z.string().max(500).optional(), ...escalation })
    .refine(({ userIds, roles, teamIds }) => hasRecipients({ userIds, roles, teamIds }), 'names nobody: give userIds, roles or teamIds')
    .refine(isWhole, half),
  email: z
    .strictObject({ to: emails, subject: z.string().max(200).optional(), message: z.string().max(4_000).optional(), ...escalation })
    .refine(isWhole, half),
  sms: z.strictObject({ to: phones, message: z.string().max(480).optional(), ...escalation }).refine(isWhole, half),
  webhook: z
    .strictObject({
      url: z
        .url({ protocol: /^https$/, error: 'must be an address that begins with https://' })
        .refine((url) => !isInsideHost(url), privateAddressMessage),
      /** Left out: stays as it is; null: none. */
      secret: z.string().min(16, 'needs at least 16 characters').max(200).nullable().optional(),
      ...escalation,
    })
    .refine(isWhole, half),
  command: z
    .strictObject({ commandType, parameters: attributes.optional() })
    // No person is present to check whether that is safe.
    .refine(({ commandType: type, parameters: given }) => dangerOf(type, given ?? {}) !== 'interlock', {
      path: ['commandType'],
      error: 'may not stop an engine: that takes two people',
    }),
}
type ActionType = keyof typeof parameters

const settable = {
  tenantId: id,
  name,
  eventIoId: id.nullable(),
  /** notify, email, sms, webhook or command. (`type` is the entity's type.) */
  actionType: z.enum(Object.keys(parameters) as [ActionType, ...ActionType[]]),
  parameters: z.record(z.string(), z.unknown()),
  isActive: z.boolean(),
  attributes,
}
const { name: called, actionType, ...rest } = settable

/** A reaction to an event that a rule matches. */
export const eventAction: GeoResource = {
  one: 'eventAction',
  many: 'eventActions',
  table: 'event_action',
  joins: sql`left join geo.event_io e on e."companyId" = t."companyId" and e."id" = t."eventIoId"`,
  fields: {
    ...baseFields,
    type: sql`'eventAction'`,
    ...fieldsOf(['name', 'eventIoId', 'isActive', 'attributes']),
    actionType: sql`t."type"`,
    eventIo: sql`e."name"`,
    // The secret of a webhook is never returned.
    parameters: sql`t."parameters" - 'secret'`,
    hasSecret: sql`t."parameters" ? 'secret'`,
  },
  sorts: ['name', 'actionType', 'isActive', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  filters: { ...usualFilters('actionType'), isActive: { kind: 'boolean' }, eventIoId: { kind: 'id' } },
  create: z.strictObject({ type: z.literal('eventAction').optional(), name: called, actionType, ...z.object(rest).partial().shape }),
  update: z.strictObject({
    id,
    type: z.literal('eventAction').optional(),
    version: z.int().optional(),
    ...z.object(settable).partial().shape,
  }),
  columns: async (work) => {
    const { type: _, actionType: kind, ...plain } = work.input
    await assertRuleExists(work)
    const checked = await withSecret(work, checkedParameters(work))
    await assertRecipients(work, checked.parameters)
    return withJson({ ...plain, ...(kind === undefined ? {} : { type: kind }), ...checked })
  },
}

/** A rule out of the caller's reach does not exist for the caller. */
async function assertRuleExists({ ctx, sql: db, input: { eventIoId } }: Write): Promise<void> {
  if (typeof eventIoId !== 'string') return
  const rule = await db.maybe(
    sql`select from geo.event_io where "companyId" = ${ctx.caller.company} and "id" = ${eventIoId} and "deletedAt" is null`,
  )
  if (!rule) fail('INVALID', { fields: [{ field: 'eventIoId', message: 'is not there' }] })
}

async function assertRecipients({ ctx, sql: db, before }: Write, { userIds = [], escalateTo }: Recipients = {}): Promise<void> {
  const old = before?.parameters as Recipients | undefined
  await requirePeople(ctx, db, { ids: userIds, before: old?.userIds, field: 'parameters.userIds' })
  await requirePeople(ctx, db, { ids: escalateTo?.userIds ?? [], before: old?.escalateTo?.userIds, field: 'parameters.escalateTo.userIds' })
}

/** Whoever changes a webhook without naming a secret keeps the one that is stored: it is never told, so nobody could send it back. */
async function withSecret(
  { ctx, sql: db, input, before }: Write,
  checked: { parameters?: Recipients },
): Promise<{ parameters?: Recipients }> {
  const { parameters: given } = checked
  if (given?.secret === null) {
    const { secret: _, ...rest } = given
    return { parameters: rest }
  }
  const stays = (input.actionType ?? before?.actionType) === 'webhook' && before?.hasSecret === true
  if (!given || given.secret !== undefined || !stays) return checked
  const { secret } = await db.one<{ secret: string }>(
    sql`select "parameters" ->> 'secret' as "secret" from geo.event_action where "companyId" = ${ctx.caller.company} and "id" = ${String(before.id)}`,
  )
  return { parameters: { ...given, secret } }
}

/** The recipients among an action's parameters, and the secret of a webhook. */
interface Recipients {
  secret?: string | null
  userIds?: string[]
  escalateTo?: { userIds?: string[] }
}

function checkedParameters({ input, before }: Write): { parameters?: Recipients } {
  if (before !== undefined && input.actionType === undefined && input.parameters === undefined) return {}
  const kind = (input.actionType ?? before?.actionType) as ActionType
  return z
    .object({ parameters: parameters[kind] as z.ZodType<Recipients> })
    .parse({ parameters: input.parameters ?? before?.parameters ?? {} })
}
