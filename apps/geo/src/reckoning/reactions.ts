import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Attributes } from '../ingest/codec.ts'
import type { GeoEvent } from '../rules/event.ts'
import type { Match } from '../rules/match.ts'
import type { DeviceRef, Subject } from './subject.ts'

/** An event that is new, and a rule that counts it. */
export interface Happened { eventId: string, event: GeoEvent, match: Match }

interface Action { id: string, eventIoId: string, type: string, parameters: { commandType?: string, parameters?: Attributes } }

const silences = { cooldown: 'The rule was told within its pause.', old: 'The event was older than 15 minutes when it was learnt of.' }

/** Notes what follows from events: one row an action. A command is only asked for: a person sends it. The rest is taken up once this is committed. */
export async function writeReactions(db: Sql, subject: Subject, happened: readonly Happened[]): Promise<void> {
  if (happened.length === 0) return
  const { companyId, deviceId } = subject
  const actions = await db.query<Action>(sql`
    select "id", "eventIoId", "type", "parameters" from geo.event_action where "companyId" = ${companyId} and "isActive" and "deletedAt" is null
      and "eventIoId" = any(${[...new Set(happened.map(({ match }) => match.ruleId))]}::uuid[])`)
  for (const { eventId, event, match } of happened) {
    for (const action of actions.filter(({ eventIoId }) => eventIoId === match.ruleId)) {
      const isCommand = action.type === 'command'
      const state = match.silence ? 'silent' : isCommand ? 'done' : 'waiting'
      const result = match.silence ? silences[match.silence] : isCommand ? 'Waits for the word of a person.' : null
      if (isCommand && !match.silence) await askForCommand(db, subject, event, action)
      await db.exec(sql`insert into geo.reaction ("companyId", "deviceId", "eventId", "eventIoId", "eventActionId", "type", "state", "result", "endedAt")
        values (${companyId}, ${deviceId}, ${eventId}, ${match.ruleId}, ${action.id}, ${action.type}, ${state}, ${result}, ${state === 'waiting' ? null : new Date()}) on conflict do nothing`)
    }
  }
}

async function askForCommand(db: Sql, { companyId, deviceId }: DeviceRef, { type }: GeoEvent, { parameters }: Action): Promise<void> {
  await db.exec(sql`insert into geo.command ("companyId", "deviceId", "type", "parameters", "state", "purpose", "expiresAt")
    values (${companyId}, ${deviceId}, ${parameters.commandType ?? 'custom'}, ${JSON.stringify(parameters.parameters ?? {})}, 'asked', ${`By a rule, after ${type}`}, now() + interval '1 day')`)
}
