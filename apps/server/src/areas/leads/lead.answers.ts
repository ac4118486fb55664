import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { assessment } from '../calculators/index.ts'
import { client } from '../clients/index.ts'
import { lead } from './lead.resource.ts'

const [time, day, count] = [z.iso.datetime(), z.iso.date(), z.int()]
const text = z.string().nullable()
const row = { Id: identifierSchema }
const listOf = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ [name]: z.array(z.strictObject(shape)) } as Record<Name, z.ZodArray<z.ZodObject<Shape>>>)

const tile = z.strictObject({ value: count, before: count })
const counts = { leads: count, converted: count }
/** Totals, and a row each status, day, capturer, week, source, officer and branch; `before`: the same number of days earlier. */
export const figuresAnswer = z.strictObject({
  total: count,
  open: count,
  converted: count,
  consented: count,
  unassigned: count,
  stale: count,
  tiles: z.strictObject({ total: tile, consented: tile, converted: tile }),
  byStatus: z.array(z.strictObject({ label: z.string(), value: count, colour: text })),
  byDay: z.array(z.strictObject({ label: day, value: count, before: count })),
  byAgent: z.array(z.strictObject({ label: text, createdByUserId: identifierSchema.nullable(), value: count })),
  byWeek: z.array(z.strictObject({ week: day, until: day, ...counts })),
  bySource: z.array(z.strictObject({ source: text, sourceId: text, ...counts })),
  byOfficer: z.array(z.strictObject({ officer: z.string(), assignedUserId: identifierSchema.nullable(), ...counts })),
  byBranch: z.array(z.strictObject({ branch: z.string(), tenantId: identifierSchema.nullable(), ...counts })),
  funnel: z.array(
    z.strictObject({
      stage: z.string(),
      colour: text,
      reached: count,
      percent: count.nullable(),
      hereNow: count,
      medianDays: z.number().nullable(),
    }),
  ),
})
export const boardAnswer = listOf('summary', { value: z.string(), count, sum: z.number(), affordable: z.number(), stale: count })
export const leadsAnswer = () => z.strictObject({ leads: z.array(recordSchema(lead, 'list')) })

export const statusLogAnswer = listOf('statusLog', {
  ...row,
  dateCreated: time,
  fromStatus: text,
  toStatus: z.string(),
  reason: text,
  userId: identifierSchema.nullable(),
  who: text,
  reallyWho: text,
  days: z.number().nullable(),
  place: text,
})
export const assignmentsAnswer = listOf('assignments', {
  ...row,
  dateCreated: time,
  endedAt: time.nullable(),
  userId: identifierSchema,
  agent: text,
  who: z.string(),
  explanation: text,
  rule: text,
})
/** `requests.note` says in words when the next request may be sent. */
export const consentsAnswer = listOf('consents', {
  ...row,
  purpose: z.enum(['CREDIT_CHECK', 'MARKETING']),
  channel: z.string(),
  mobileNumber: z.string(),
  textVersion: z.string(),
  textHash: z.string(),
  status: z.string(),
  requestedAt: time,
  answeredAt: time.nullable(),
  expiresAt: time,
  withdrawnAt: time.nullable(),
  reason: text,
  ip: text,
  device: text,
  who: text,
}).extend({ requests: z.strictObject({ total: count, today: count, maxPerDay: count, retryAfterSeconds: count, note: z.string() }) })

/** `inputs`, `steps` and `result` as the calculator made them. */
export const assessmentsAnswer = listOf('runs', {
  ...row,
  dateCreated: time,
  calculator: z.string(),
  country: z.string(),
  ruleSetId: text,
  ruleSetVersion: z.union([z.string(), z.number()]).nullable(),
  inputs: z.unknown(),
  steps: z.unknown(),
  result: z.unknown(),
  outcome: z.string(),
  instalment: z.number().nullable(),
  affordable: z.number().nullable(),
  reasons: text,
  who: text,
})
export const stepsAnswer = z.strictObject({ steps: z.unknown(), inputs: z.array(z.strictObject({ name: z.string(), value: z.string() })) })
/** `data`: what the wizard holds of each step. */
export const draftsAnswer = listOf('drafts', {
  ...row,
  leadId: identifierSchema.nullable(),
  step: count,
  furthest: count,
  data: z.record(z.string(), z.unknown()),
  dateCreated: time,
  dateModified: time,
})
/** The lead's own address comes first, without the fields of a row. */
export const addressesAnswer = listOf('addresses', {
  ...row,
  leadId: identifierSchema,
  kind: z.string(),
  lineone: text,
  linetwo: text.optional(),
  city: text,
  postcode: text,
  state: text,
  country: text,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  dateCreated: time.optional(),
})

const draft = { ...row, step: count, furthest: count, dateModified: time }
export const draftAnswer = z.strictObject({ draft: z.strictObject(draft) })
const fullLead = () => recordSchema(lead, 'detail')
/** The assessment as the calculator made it, with its id. */
export const assessedAnswer = () => z.strictObject({ lead: fullLead(), run: assessment.extend(row) })
export const mergedAnswer = () => z.strictObject({ lead: fullLead(), merge: z.strictObject(row) })
/** `kept`: what stays with the winner, in words. */
export const undoneMergeAnswer = () => z.strictObject({ lead: fullLead(), restored: fullLead(), kept: z.array(z.string()) })
export const convertedAnswer = () => z.strictObject({ lead: fullLead(), client: recordSchema(client, 'detail') })
/** `lead` is the first of them. */
export const assignedAnswer = () => z.strictObject({ leads: z.array(fullLead()), lead: fullLead() })
/** Who got which lead by which rule and why; `left`: leads that no rule is for. */
export const byRuleAnswer = z.strictObject({
  assigned: z.array(
    z.strictObject({ leadId: identifierSchema, userId: identifierSchema, agent: z.string(), rule: z.string(), why: z.string() }),
  ),
  left: z.array(identifierSchema),
})
export const consentRequestedAnswer = () => z.strictObject({ lead: fullLead(), consentId: identifierSchema })
