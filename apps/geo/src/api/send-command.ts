import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { cancelUnsentStops } from '../commands/cancel-stops.ts'
import { comparableParameters, readParameters, type Parameters } from '../commands/catalogue.ts'
import { dangerOf, type Danger } from '../commands/danger.ts'
import { interlock, secondApproval, type Interlock } from '../commands/interlock.ts'
import { motionFacts } from '../commands/motion-facts.ts'
import { writeAudit } from './crud/write.ts'
import { readDevice } from './devices.ts'
import { attributes, id } from './input.ts'
import { handler, type GeoCtx } from './types.ts'

/** Ten minutes: an older decision was based on an older state of the vehicle. */
const defaultTtl = 600

/** Fields that control the sending; every other field of the body is a parameter of the command. */
const input = z.looseObject({
  deviceId: id,
  commandType: z.string(),
  type: z.unknown().optional(),
  /** Parameters may also be grouped under either of these names. */
  parameters: attributes.optional(),
  attributes: attributes.optional(),
  reason: z.string().max(500).optional(),
  /** Id of the other person's request that this call approves. */
  approves: id.optional(),
  /** How long the command waits for the device. A command that may stop a vehicle waits no longer than the default. */
  ttlSeconds: z.int().min(10).max(604_800).default(defaultTtl),
})
type Input = z.infer<typeof input>

interface Command {
  id: string
  deviceId: string
  type: string
  parameters: Parameters
  state: 'asked' | 'queued'
}

/**
 * Queues a command for a device: 202 {commandId, state}. `commandType` is a type or the id of a saved command. A pending identical
 * command is not queued twice. A command that may stop a vehicle, and unknown raw text, wait in state `asked` for a second person; a
 * command requested by a rule waits for any person. They approve by sending the same call with `approves`. A refusal of the interlock is
 * a CONFLICT with its reason; the interlock is checked again when the command is sent (commands/release.ts).
 */
export const sendCommand = handler(input, async (ctx, given) => {
  const command = await ctx.transaction(async (db) => {
    const device = await readDevice(ctx, given.deviceId, db)
    if (device.disabled) fail('CONFLICT', { message: 'This device is disabled.' })
    const wanted = await wantedCommand(ctx, db, given)
    if (wanted.type === 'engineResume') await cancelUnsentStops(db, { companyId: ctx.caller.company, deviceId: given.deviceId })
    const danger = dangerOf(wanted.type, wanted.parameters)
    if (danger === 'interlock' && given.ttlSeconds > defaultTtl)
      fail('INVALID', { fields: [{ field: 'ttlSeconds', message: `may be ${defaultTtl} at most for what may stop a vehicle` }] })
    const made =
      danger !== 'none' || given.approves !== undefined
        ? await askOrApprove(ctx, db, { given, wanted, danger })
        : await queue(ctx, db, { given, wanted, state: 'queued' })
    await writeAudit(ctx, db, {
      act: made.state === 'asked' ? 'ask' : 'send',
      objectType: 'command',
      objectId: made.id,
      after: { ...wanted, deviceId: given.deviceId, reason: given.reason },
    })
    return made
  })
  if (command.state === 'queued') ctx.services.commandQueued({ companyId: ctx.caller.company, deviceId: command.deviceId, id: command.id })
  return { data: { commandId: command.id, state: command.state } }
})

interface Wanted {
  type: string
  parameters: Parameters
}

/** The type and parameters of the command: those of the saved command, overridden by those of the call. */
async function wantedCommand({ caller }: GeoCtx, db: Sql, given: Input): Promise<Wanted> {
  const {
    deviceId: _,
    commandType,
    type: __,
    parameters = {},
    attributes: more = {},
    reason: ___,
    approves: ____,
    ttlSeconds: _____,
    ...rest
  } = given
  const own = { ...z.object({ parameters: attributes }).parse({ parameters: rest }).parameters, ...more, ...parameters }
  // An approval must equal the request, or it is refused. A person's request was validated before; a rule's request is validated now.
  const read = given.approves === undefined ? readParameters : comparableParameters
  if (!id.safeParse(commandType).success) return { type: commandType, parameters: read(commandType, own) }
  const saved = await db.maybe<Wanted>(
    sql`select "type", "parameters" from geo.saved_command where "companyId" = ${caller.company} and "id" = ${commandType} and "deletedAt" is null`,
  )
  return saved ? { type: saved.type, parameters: read(saved.type, { ...saved.parameters, ...own }) } : fail('NOT_FOUND')
}

interface CommandInput {
  given: Input
  wanted: Wanted
}

async function askOrApprove(ctx: GeoCtx, db: Sql, { given, wanted, danger }: CommandInput & { danger: Danger }): Promise<Command> {
  const request = given.approves === undefined ? undefined : await readRequest(ctx, db, { given, wanted })
  const result = await verdictOf(ctx, db, { given, danger, request })
  if (result.verdict === 'refuse') {
    return result.field
      ? fail('INVALID', { fields: [{ field: result.field, message: result.message }] })
      : fail('CONFLICT', { message: result.message })
  }
  if (!request) return queue(ctx, db, { given, wanted, state: 'asked' })
  // The approval of a rule's request is its first person; it now waits for the second.
  const person = ctx.caller.realUser
  const next =
    result.verdict === 'wait'
      ? sql`"createdUserId" = ${person}`
      : sql`"state" = 'queued', "approvedUserId" = ${person}, "expiresAt" = ${later(ctx, given.ttlSeconds)}`
  await db.exec(sql`update geo.command set ${next} where "companyId" = ${ctx.caller.company} and "id" = ${request.id}`)
  return { id: request.id, deviceId: given.deviceId, ...wanted, state: result.verdict === 'wait' ? 'asked' : 'queued' }
}

async function verdictOf(
  ctx: GeoCtx,
  db: Sql,
  { given, danger, request }: { given: Input; danger: Danger; request: Request | undefined },
): Promise<Interlock> {
  const { company: companyId, realUser: person } = ctx.caller
  const askedBy = request?.createdUserId
  if (danger === 'twoPersons') return secondApproval(askedBy, person)
  if (danger === 'interlock')
    return interlock({
      ...(await motionFacts(db, { companyId, deviceId: given.deviceId }, ctx.now())),
      reason: given.reason ?? request?.purpose ?? undefined,
      askedBy,
      person,
    })
  // A harmless command requested by a rule needs one person; a person's own request needs another person.
  return askedBy === person ? secondApproval(askedBy, person) : { verdict: 'send' }
}

/** The requester; null for a rule. */
interface Request {
  id: string
  createdUserId: string | null
  purpose: string | null
}

async function readRequest({ caller, now }: GeoCtx, db: Sql, { given, wanted }: CommandInput): Promise<Request> {
  const request = await db.maybe<Request & { isSame: boolean; isLate: boolean }>(sql`
    select "id", "createdUserId", "purpose", "type" = ${wanted.type} and "parameters" = ${JSON.stringify(wanted.parameters)}::jsonb as "isSame", "state" = 'expired' or "expiresAt" <= ${new Date(now())} as "isLate"
    from geo.command where "companyId" = ${caller.company} and "id" = ${given.approves} and "deviceId" = ${given.deviceId}
      and ("state" = 'asked' or ("state" = 'expired' and "approvedUserId" is null and "sentAt" is null)) for update`)
  if (!request) return fail('NOT_FOUND')
  if (!request.isSame) return fail('INVALID', { fields: [{ field: 'approves', message: 'is the request of another command' }] })
  readParameters(wanted.type, wanted.parameters)
  return request.isLate ? fail('CONFLICT', { message: 'The request has expired. Ask again.' }) : request
}

async function queue(ctx: GeoCtx, db: Sql, { given, wanted, state }: CommandInput & { state: Command['state'] }): Promise<Command> {
  const { caller } = ctx
  const parameters = JSON.stringify(wanted.parameters)
  // Serialises two calls of the same command.
  await db.exec(sql`select from geo.device where "companyId" = ${caller.company} and "id" = ${given.deviceId} for update`)
  const waiting = await db.maybe<{ id: string }>(sql`
    select "id" from geo.command where "companyId" = ${caller.company} and "deviceId" = ${given.deviceId} and "state" = ${state}
      and "type" = ${wanted.type} and "parameters" = ${parameters}::jsonb and "expiresAt" > ${new Date(ctx.now())} order by "id" limit 1`)
  const row =
    waiting ??
    (await db.one<{ id: string }>(sql`
    insert into geo.command ("companyId", "deviceId", "type", "parameters", "state", "purpose", "createdUserId", "expiresAt")
    values (${caller.company}, ${given.deviceId}, ${wanted.type}, ${parameters}, ${state}, ${given.reason ?? null}, ${caller.realUser}, ${later(ctx, given.ttlSeconds)}) returning "id"`))
  return { id: row.id, deviceId: given.deviceId, ...wanted, state }
}

const later = ({ now }: GeoCtx, seconds: number) => new Date(now() + seconds * 1_000)
