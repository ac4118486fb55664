import { fail, failField } from '@outpost/contract/errors'
import { numberLike } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { assertWithinQuota, type Quota } from '../../kernel/quota.ts'
import { z } from 'zod'
import { createRecord, getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Setting } from '../../kernel/settings/define.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { requestConsent } from './consent/lead.consent.ts'
import type { SmsDomain } from './consent/lead.contact.ts'
import { lead } from './lead.resource.ts'

const optionalText = (most: number) => z.string().trim().max(most).nullish()
const money = numberLike(z.number().min(0).max(999_999_999).nullish())

/** The pages of digital onboarding as the wizard sends them. With leadId an existing lead is completed. */
export const firstPageInput = z.strictObject({
  leadId: idSchema.optional(),
  draftId: idSchema.optional(),
  person: z.strictObject({ firstName: z.string(), lastName: z.string(), idNumber: optionalText(20), type: optionalText(40) }),
  contact: z.strictObject({ phonenumber: z.string(), emailAddress: optionalText(254), contactNumber: optionalText(25) }),
  employment: z
    .strictObject({ employer: optionalText(120), empNumber: optionalText(40), grossIncome: money, netIncome: money })
    .default({}),
  address: z
    .strictObject({
      lineone: optionalText(120),
      city: optionalText(80),
      state: optionalText(80),
      postcode: optionalText(12),
      country: optionalText(60),
      latitude: numberLike(z.number().nullish()),
      longitude: numberLike(z.number().nullish()),
    })
    .default({}),
  affordability: z
    .strictObject({
      livingExpenses: money,
      existingObligations: money,
      requestedAmount: money,
      termMonths: z.int().min(1).max(120).nullish(),
    })
    .default({}),
  consent: z.strictObject({ send: z.boolean().default(false) }).default({ send: false }),
})
export type FirstPage = z.infer<typeof firstPageInput>

/** First page of digital onboarding: makes or completes the lead, files its address, asks for consent, drops the draft; all or nothing. */
export async function onboardFirstPage(ctx: Ctx, input: FirstPage, smsDomain: SmsDomain): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const record = await saveApplicant(inner, input)
    const id = record['Id'] as string
    await fileAddress(inner, id, record['tenantId'] as string, input)
    const figures = { employment: input.employment, affordability: input.affordability, capturedAt: new Date().toISOString() }
    await updateRecord(inner, lead, id, { onboarding: figures })
    if (input.consent.send && record['consentStatus'] !== 'GRANTED') await requestConsent(inner, { leadId: id }, smsDomain)
    if (input.draftId) await deleteDraft(inner, { id: input.draftId })
    return { data: { lead: await getRecord(inner, lead, id) }, message: 'Lead created successfully' }
  })
}

async function saveApplicant(ctx: Ctx, { leadId, person, contact, employment, address }: FirstPage): Promise<Record<string, unknown>> {
  const { latitude, longitude, ...place } = address
  const { employer, empNumber } = employment
  const values = { ...person, ...contact, employer, empNumber, ...place, latitude, longitude }
  const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''))
  const schemas = writeSchemas(lead)
  if (leadId) return updateRecord(ctx, lead, leadId, checkInput(schemas.update, { ...body, id: leadId }))
  return createRecord(ctx, lead, checkInput(schemas.create, body))
}

async function fileAddress(ctx: Ctx, leadId: string, tenantId: string, { address }: FirstPage): Promise<void> {
  if (!address.lineone && !address.city) return
  const row = await ctx.sql.one<{ id: string }>(sql`
    insert into lead_address ("companyId", "id", "tenantId", "leadId", "lineone", "city", "state", "postcode", "country")
    values (${ctx.company.id}, gen_random_uuid(), ${tenantId}, ${leadId}, ${address.lineone}, ${address.city}, ${address.state}, ${address.postcode}, ${address.country})
    returning "id"`)
  await updateRecord(ctx, lead, leadId, { addressId: row.id })
}

/* ---------- drafts: the wizard saved as it is typed ---------- */

export const mostDrafts: Setting = {
  name: 'draftsPerPerson',
  section: 'limits',
  label: 'Unfinished onboardings',
  help: 'How many a person may have begun and not finished at the same time.',
  unit: 'a person',
  min: 10,
  max: 1_000,
  standard: 100,
  level: 'company',
}

export const draftQuota: Quota = {
  name: 'drafts',
  table: 'onboarding_draft',
  most: mostDrafts,
  what: 'unfinished onboardings',
  advice: 'Finish or delete some first.',
}

export const draftInput = z.strictObject({
  id: idSchema.optional(),
  Id: idSchema.optional(),
  leadId: idSchema.nullish(),
  step: z.int().min(0).max(20),
  furthest: z.int().min(0).max(20),
  data: z.record(z.string().max(60), z.unknown()).refine((value) => JSON.stringify(value).length <= 100_000, 'is too large'),
})

/** The caller's unfinished onboardings, last touched first. */
export async function listDrafts(ctx: Ctx): Promise<Answer> {
  const drafts = await ctx.sql.query(sql`
    select "id" as "Id", "leadId", "step", "furthest", "data", "dateCreated", "dateModified" from onboarding_draft
    where "companyId" = ${ctx.company.id} and "userId" = ${ctx.user.id} order by "dateModified" desc limit 50`)
  return { data: { drafts } }
}

/** Saves a draft under its id; the same call makes and renews it, on whichever device. */
export async function saveDraft(ctx: Ctx, input: z.infer<typeof draftInput>): Promise<Answer> {
  const id = input.id ?? input.Id ?? failField('Id', 'is required')
  const isKnown = await ctx.sql.maybe(sql`select 1 as one from onboarding_draft where "companyId" = ${ctx.company.id} and "id" = ${id}`)
  if (!isKnown) await assertWithinQuota(ctx, draftQuota)
  const saved = await ctx.sql.maybe<{ Id: string }>(sql`
    insert into onboarding_draft ("companyId", "id", "tenantId", "userId", "leadId", "step", "furthest", "data")
    values (${ctx.company.id}, ${id}, ${ctx.tenant.id}, ${ctx.user.id}, ${input.leadId ?? null}, ${input.step}, ${input.furthest}, ${JSON.stringify(input.data)}::jsonb)
    on conflict ("companyId", "id") do update set "step" = excluded."step", "furthest" = greatest(onboarding_draft."furthest", excluded."furthest"),
      "data" = excluded."data", "leadId" = excluded."leadId", "dateModified" = now()
      where onboarding_draft."userId" = ${ctx.user.id}
    returning "id" as "Id", "step", "furthest", "dateModified"`)
  return saved ? { data: { draft: saved } } : fail('NOT_FOUND')
}

export async function deleteDraft(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const gone = await ctx.sql.exec(
    sql`delete from onboarding_draft where "companyId" = ${ctx.company.id} and "id" = ${id} and "userId" = ${ctx.user.id}`,
  )
  return gone === 0 ? fail('NOT_FOUND') : { data: { ids: [id] } }
}
