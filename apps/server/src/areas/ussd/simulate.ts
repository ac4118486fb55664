import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { formatsOf } from '../../kernel/settings/look.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { client } from '../clients/index.ts'
import { begin, step, type LoanLine, type PaymentLine, type Place, type Port, type Verdict } from './machine.ts'
import type { Menu } from './menu.items.ts'
import { menuInForce, menuOf } from './menu.resource.ts'
import { loansOf, paymentsOf } from './port.ts'
import { ussdSession } from './session.resource.ts'

const id = idSchema
export const simulateInput = z.strictObject({
  /** A version, drafts too; left out: the one in force, or that of the session. */
  menuId: id.optional(),
  /** Whose loans are shown; left out: a client made up. */
  clientId: id.optional(),
  isStranger: z.boolean().optional(),
  /** A session to be replayed; what is typed follows its steps. */
  sessionId: id.optional(),
  inputs: z.array(z.string().max(160)).max(60).default([]),
})
export const simulateAnswer = z.strictObject({
  menu: z.string(),
  menuId: identifierSchema.nullable(),
  who: z.string(),
  pin: z.string(),
  isOver: z.boolean(),
  /** Whether a replayed session took another way than it did then. */
  isOther: z.boolean(),
  hops: z.array(
    z.strictObject({
      seq: z.int(),
      input: z.string(),
      screen: z.string(),
      response: z.string(),
      past: z.strictObject({ screen: z.string(), response: z.string(), ms: z.int() }).nullable(),
    }),
  ),
})

/** The PIN of everybody in the simulator: a client's own is never asked for. */
const pin = '2580'
interface Hop {
  input: string
  screen: string
  response: string
  ms: number
}

/**
 * Plays a session through from its first screen: of a client, of somebody made up, or a real one again, beside what it was answered then. Nothing is
 * written: no PIN, no request, no session.
 */
export async function simulate(ctx: Ctx, input: z.infer<typeof simulateInput>): Promise<Answer> {
  const past = input.sessionId === undefined ? undefined : await pastOf(ctx, input.sessionId)
  const menu = await menuFor(ctx, input.menuId, past?.menuId)
  const recorded = past?.hops ?? []
  const { port, who } = await portFor(ctx, menu, {
    clientId: past ? (past.clientId ?? undefined) : input.clientId,
    isStranger: past ? past.clientId === null : input.isStranger,
    hadPin: past && !recorded.some(({ screen }) => screen === 'ID number'),
  })
  const first = begin(port, menu)
  const hops = [hopOf(1, '', first, recorded[0])]
  let place = first.place
  const typed = [...recorded.slice(1).map((hop) => ({ hop, text: hop.input })), ...input.inputs.map((text) => ({ hop: undefined, text }))]
  for (const { hop, text } of typed) {
    if (place === null) break
    const reply = await step(port, menu, place, hop ? unmasked(place, hop) : text)
    hops.push(hopOf(hops.length + 1, hop ? hop.input : place.at === 'pin' ? '••••' : text, reply, hop))
    place = reply.place
  }
  const isOther = hops.some(({ screen, past: was }) => was !== null && was.screen !== screen) || hops.length < recorded.length
  return {
    data: {
      menu: menu.id === null ? 'Standard' : `M-${String(menu.number).padStart(3, '0')}`,
      menuId: menu.id,
      who,
      pin,
      isOver: place === null,
      isOther,
      hops,
    },
  }
}

const hopOf = (seq: number, input: string, { screen, text }: { screen: string; text: string }, past?: Hop) => ({
  seq,
  input,
  screen,
  response: text,
  past: past ? { screen: past.screen, response: past.response, ms: past.ms } : null,
})

const menuFor = (ctx: Ctx, asked: string | undefined, past: string | null | undefined): Promise<Menu> =>
  asked !== undefined ? menuOf(ctx, asked) : past !== undefined ? menuOf(ctx, past) : menuInForce(ctx)

async function pastOf(ctx: Ctx, sessionId: string): Promise<{ menuId: string | null; clientId: string | null; hops: Hop[] }> {
  await getRecord(ctx, ussdSession, sessionId)
  const row = await ctx.sql.one<{ menuId: string | null; clientId: string | null }>(
    sql`select "menuId", "clientId" from ussd_session where "companyId" = ${ctx.company.id}::uuid and "id" = ${sessionId}::uuid`,
  )
  const hops = await ctx.sql.query<Hop & Record<string, unknown>>(sql`
    select "input", "screen", "response", "ms" from ussd_hop where "companyId" = ${ctx.company.id}::uuid and "sessionId" = ${sessionId}::uuid order by "seq"`)
  return { ...row, hops }
}

/** What was kept as stars is typed again: right or wrong, as the next screen says it was. */
function unmasked(place: Place, { input, screen }: Hop): string {
  if (!/^[•*]+$/.test(input)) return input
  if (place.at === 'pin') return screen === 'PIN' || screen === 'Locked' ? '0001' : pin
  if (place.at === 'newPin') return screen === 'New PIN' ? '0000' : pin
  if (place.at === 'repeatPin') return screen === 'New PIN' ? '0001' : pin
  if (place.at === 'idNumber') return screen === 'ID number' || screen === 'Locked' ? '' : pin
  return input
}

interface Who {
  clientId: string | undefined
  isStranger: boolean | undefined
  /** Of a replay: whether the client had a PIN then. */
  hadPin: boolean | undefined
}
const samples: { loans: LoanLine[]; payments: PaymentLine[] } = {
  loans: [{ id: '00000000-0000-4000-8000-000000000001', number: 'L-000001', owed: '8480', due: '4240', dueOn: '2026-11-30' }],
  payments: [{ on: '2026-10-30', amount: '4240' }],
}

async function portFor(ctx: Ctx, menu: Menu, { clientId, isStranger, hadPin }: Who): Promise<{ port: Port; who: string }> {
  if (clientId !== undefined && !holdsAny(ctx, 'CLIENTS')) fail('FORBIDDEN')
  const record = clientId === undefined ? undefined : await getRecord(ctx, client, clientId)
  const tries = { left: 3 }
  const verdict = (isRight: boolean): Promise<Verdict> => {
    if (isRight) return Promise.resolve({ kind: 'right' })
    tries.left -= 1
    return Promise.resolve(tries.left > 0 ? { kind: 'wrong', left: tries.left } : { kind: 'locked' })
  }
  const one = record
    ? { firstName: String(record['firstName']), hasPin: hadPin ?? record['ussdSecuredAt'] !== null }
    : { firstName: 'Amina', hasPin: hadPin ?? true }
  const port: Port = {
    company: ctx.company.name,
    currency: ctx.company.currency,
    formats: await formatsOf(ctx.company.id),
    payTo: menu.payTo,
    client: isStranger ? null : { ...one, hasIdNumber: true, isOtherNetwork: false },
    checkPin: (typed) => verdict(typed === pin),
    checkIdNumber: (typed) => verdict(typed !== ''),
    hash: (typed) => Promise.resolve(typed),
    isSame: (hash, typed) => Promise.resolve(hash === typed),
    setPin: () => Promise.resolve(),
    loans: () => (clientId === undefined ? Promise.resolve(samples.loans) : loansOf(ctx, clientId)),
    payments: (loanId) => (clientId === undefined ? Promise.resolve(samples.payments) : paymentsOf(ctx, loanId)),
    request: () => Promise.resolve(),
  }
  return { port, who: isStranger ? '' : record ? String(record['fullName']) : 'Amina' }
}
