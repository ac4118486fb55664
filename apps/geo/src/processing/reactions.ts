import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Attributes } from '../positions/fix.ts'
import type { GeoEvent } from '../rules/event.ts'
import type { Match } from '../rules/match.ts'
import type { DeviceRef, Subject } from './subject.ts'

/** A new event and a rule that matches it; `silence` is the reason why nobody is notified. */
export interface NewEvent {
  eventId: string
  event: GeoEvent
  match: Omit<Match, 'silence'> & { silence: Match['silence'] | 'repeated' }
}

interface Escalation {
  userIds?: string[]
  roles?: string[]
  teamIds?: string[]
  emails?: string[]
  phones?: string[]
}
interface Action {
  id: string
  eventIoId: string
  type: string
  parameters: { commandType?: string; parameters?: Attributes; escalateAfterS?: number; escalateTo?: Escalation }
}
/** A row of geo.reaction to insert. */
interface Reaction {
  eventId: string
  eventIoId: string
  eventActionId: string
  type: string
  level: number
  state: 'waiting' | 'done' | 'silent'
  result: string | null
  afterS: number
}

const silences = {
  cooldown: 'The rule was told within its pause.',
  old: 'The event was older than 15 minutes when it was learnt of.',
  repeated: 'The same was told within the last two minutes.',
}

/**
 * Inserts the reactions of events: one row per action, and one for its escalation. A command is only requested: a person sends it.
 * Webhooks are sent by this service after the commit; everything else goes to the server's outbox in this transaction.
 */
export async function writeReactions(db: Sql, subject: Subject, happened: readonly NewEvent[]): Promise<void> {
  if (happened.length === 0) return
  const { companyId, deviceId } = subject
  const actions = await db.query<Action>(sql`
    select "id", "eventIoId", "type", "parameters" from geo.event_action where "companyId" = ${companyId} and "isActive" and "deletedAt" is null
      and "eventIoId" = any(${[...new Set(happened.map(({ match }) => match.ruleId))]}::uuid[])`)
  const due = happened.flatMap((one) =>
    actions.filter(({ eventIoId }) => eventIoId === one.match.ruleId).map((action) => ({ ...one, action })),
  )
  for (const { event, match, action } of due)
    if (action.type === 'command' && !match.silence) await askForCommand(db, subject, event, action)
  const rows = due.flatMap(({ eventId, match, action }) => reactionsOf(eventId, match, action))
  const written = await db.query<{ id: string; state: string }>(sql`
    insert into geo.reaction ("companyId", "deviceId", "eventId", "eventIoId", "eventActionId", "type", "level", "state", "result", "nextAt", "endedAt")
    select ${companyId}, ${deviceId}, r."eventId", r."eventIoId", r."eventActionId", r."type", r."level", r."state", r."result", now() + make_interval(secs => r."afterS"), case when r."state" <> 'waiting' then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r("eventId" uuid, "eventIoId" uuid, "eventActionId" uuid, "type" text, "level" smallint, "state" text, "result" text, "afterS" int)
    on conflict do nothing returning "id", "state"`)
  const waiting = written.filter(({ state }) => state === 'waiting').map(({ id }) => id)
  if (waiting.length > 0) await db.query(sql`select geo.hand_over(${waiting}::uuid[])`)
}

function reactionsOf(
  eventId: string,
  { ruleId, silence }: NewEvent['match'],
  { id, type, parameters: { escalateAfterS, escalateTo } }: Action,
): Reaction[] {
  const common = { eventId, eventIoId: ruleId, eventActionId: id }
  if (silence) return [{ ...common, type, level: 1, state: 'silent', result: silences[silence], afterS: 0 }]
  if (type === 'command') return [{ ...common, type, level: 1, state: 'done', result: 'Waits for the word of a person.', afterS: 0 }]
  const later = escalateAfterS === undefined ? [] : escalationTypes(escalateTo ?? {})
  return [
    { ...common, type, level: 1, state: 'waiting', result: null, afterS: 0 },
    ...later.map((kind): Reaction => ({ ...common, type: kind, level: 2, state: 'waiting', result: null, afterS: escalateAfterS ?? 0 })),
  ]
}

/** The channels of an escalation. */
function escalationTypes({ userIds = [], roles = [], teamIds = [], emails = [], phones = [] }: Escalation): string[] {
  return [
    ...([...userIds, ...roles, ...teamIds].length > 0 ? ['notify'] : []),
    ...(emails.length > 0 ? ['email'] : []),
    ...(phones.length > 0 ? ['sms'] : []),
  ]
}

async function askForCommand(db: Sql, { companyId, deviceId }: DeviceRef, { type }: GeoEvent, { parameters }: Action): Promise<void> {
  await db.exec(sql`insert into geo.command ("companyId", "deviceId", "type", "parameters", "state", "purpose", "expiresAt")
    values (${companyId}, ${deviceId}, ${parameters.commandType ?? 'custom'}, ${JSON.stringify(parameters.parameters ?? {})}, 'asked', ${`By a rule, after ${type}`}, now() + interval '1 day')`)
}
