import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { z } from 'zod'
import { createRecord, getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, PanelDefinition } from '../../kernel/types.ts'
import { deregisterUssd } from '../clients/index.ts'
import { menuInForce, ussdMenu } from './menu.resource.ts'
import { ussdNumber } from './number.resource.ts'
import { ussdSession } from './session.resource.ts'

/** Begins a draft with the items of the menu in force. CONFLICT while a draft is open. */
export async function newMenu(ctx: Ctx): Promise<Answer> {
  await takeTurn(ctx.sql, `ussd menu ${ctx.company.id}`)
  const open = await ctx.sql.maybe(
    sql`select from ussd_menu where "companyId" = ${ctx.company.id}::uuid and "state" = 'Draft' and "deletedAt" is null limit 1`,
  )
  if (open) fail('CONFLICT', { message: 'A draft is open already: change that one.' })
  const { items, payTo } = await menuInForce(ctx)
  return { data: { ussdMenu: await createRecord(ctx, ussdMenu, { items, payTo }) }, message: 'Draft begun' }
}

export const clearInput = z.strictObject({ id: idSchema, reason: z.string().trim().min(1, 'is required').max(300) })

/** Clears what secures the client whose number it is. */
export async function clearNumber(ctx: Ctx, { id, reason }: z.infer<typeof clearInput>): Promise<Answer> {
  const { clientId } = await getRecord(ctx, ussdNumber, id)
  if (typeof clientId !== 'string') return fail('CONFLICT', { message: 'This number is no client’s.' })
  const answer = await deregisterUssd(ctx, { id: clientId, reason })
  return { data: { ussdNumber: await getRecord(ctx, ussdNumber, id) }, message: 'message' in answer ? answer.message : undefined } as Answer
}

export const hopsAnswer = z.strictObject({
  hops: z.array(
    z.strictObject({
      Id: z.string(),
      seq: z.int(),
      input: z.string(),
      screen: z.string(),
      response: z.string(),
      ms: z.int(),
      dateCreated: z.iso.datetime(),
    }),
  ),
})

/** What a session asked and was answered, hop by hop. */
export async function hopsOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, ussdSession, id)
  const hops = await ctx.sql.query(sql`
    select "sessionId" || '-' || "seq" as "Id", "seq", "input", "screen", "response", "ms", to_char("dateCreated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "dateCreated"
    from ussd_hop where "companyId" = ${ctx.company.id}::uuid and "sessionId" = ${id}::uuid order by "seq"`)
  return { data: { hops } }
}

export const hopsPanel: PanelDefinition = {
  key: 'hops',
  title: 'Transcript',
  route: 'ussd.hops',
  value: 'hops',
  fields: {
    seq: { kind: 'number', label: 'No.' },
    input: { kind: 'text', label: 'Typed' },
    screen: { kind: 'text', label: 'Screen' },
    response: { kind: 'longText', label: 'Answer' },
    ms: { kind: 'number', label: 'Milliseconds' },
    dateCreated: { kind: 'dateTime', label: 'At' },
  },
  empty: { title: 'Nothing was asked' },
}
