import { sql } from '@outpost/platform/db/sql'
import { updateRecord } from '../../kernel/resource/records.ts'
import { session } from '../../kernel/session/services.ts'
import { settingOf } from '../../kernel/settings/read.ts'
import type { Setting } from '../../kernel/settings/define.ts'
import { audit } from '../../kernel/audit.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Ctx } from '../../kernel/types.ts'
import { client } from '../clients/index.ts'
import type { Verdict } from './machine.ts'

export const pinTries: Setting = {
  name: 'ussdPinTries',
  section: 'limits',
  label: 'USSD: wrong PINs',
  help: 'After so many wrong PINs or ID numbers in a row the client is locked out of USSD.',
  unit: 'tries',
  min: 3,
  max: 10,
  standard: 3,
  level: 'company',
}
export const pinLockHours: Setting = {
  name: 'ussdLockHours',
  section: 'limits',
  label: 'USSD: hours of a lock',
  help: 'So long a client who was locked out waits. Clearing the USSD security of the client ends it at once.',
  unit: 'hours',
  min: 1,
  max: 720,
  standard: 24,
  level: 'company',
}

export interface Secured {
  id: string
  idNumber: string | null
  ussdPinHash: string | null
  ussdSecuredAt: Date | null
}

/**
 * Judges a PIN, or the ID number while there is none. Wrong ones are counted across sessions, one after the other, since the PIN was set; too many lock.
 * What was locked is refused before it is looked at, so that a right guess is no answer either.
 */
export async function checkSecret(ctx: Ctx, one: Secured, isRight: () => Promise<boolean>): Promise<Verdict> {
  const key = sql`"companyId" = ${ctx.company.id}::uuid and "clientId" = ${one.id}::uuid`
  await ctx.sql.exec(sql`
    insert into ussd_pin_try ("companyId", "clientId", "securedAt") values (${ctx.company.id}::uuid, ${one.id}::uuid, ${one.ussdSecuredAt}::timestamptz)
    on conflict ("companyId", "clientId") do update set "securedAt" = excluded."securedAt", "failures" = 0, "lockedUntil" = null where ussd_pin_try."securedAt" is distinct from excluded."securedAt"`)
  const { failures, isLocked } = await ctx.sql.one<{ failures: number; isLocked: boolean }>(sql`
    select case when "lockedUntil" <= now() then 0 else "failures" end as failures, coalesce("lockedUntil" > now(), false) as "isLocked" from ussd_pin_try where ${key} for update`)
  if (isLocked) return { kind: 'locked' }
  if (await isRight()) {
    await ctx.sql.exec(sql`update ussd_pin_try set "failures" = 0, "lockedUntil" = null where ${key}`)
    return { kind: 'right' }
  }
  const left = (await settingOf(ctx, pinTries, ctx.company.id)) - failures - 1
  const hours = await settingOf(ctx, pinLockHours, ctx.company.id)
  await ctx.sql.exec(sql`
    update ussd_pin_try set "failures" = ${failures + 1}, "lockedUntil" = case when ${left <= 0} then now() + make_interval(hours => ${hours}) end where ${key}`)
  if (left > 0) return { kind: 'wrong', left }
  audit(ctx, { action: 'client.ussdLocked', objectType: client.one, objectId: one.id, after: { hours } })
  return { kind: 'locked' }
}

export const isPinOf = ({ ussdPinHash }: Secured, pin: string): Promise<boolean> =>
  session().passwords.verify(ussdPinHash ?? undefined, pin)

const bare = (text: string) => text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
export const isIdNumberOf = ({ idNumber }: Secured, typed: string): boolean =>
  idNumber !== null && bare(idNumber) !== '' && bare(typed) === bare(idNumber)

/** Secures a client's USSD: the PIN's hash, and the network it was set on. */
export async function setPin(ctx: Ctx, { id }: Secured, { hash, network }: { hash: string; network: string }): Promise<void> {
  await withStream(ctx, (inner) =>
    updateRecord(inner, client, id, { ussdPinHash: hash, ussdDevice: network || null, ussdSecuredAt: new Date() }),
  )
  audit(ctx, { action: 'client.ussdPin', objectType: client.one, objectId: id })
}
