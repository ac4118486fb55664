import { fail, failField } from '@outpost/contract/errors'
import {
  isLeadStatus,
  isOutdated,
  needsConsent,
  needsReason,
  nextLeadStatuses,
  refuseLeadStatus,
  type LeadGuardState,
  type LeadStatus,
} from '@outpost/rules/leads/lead-status'
import { trimPhone } from '@outpost/rules/phone'
import { readPhone } from '../../kernel/phone.ts'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { assessmentDays } from './credit/lead.decision.ts'

type LeadRow = ModelRow<'lead'>

/** Last look at a lead before it is written: numbers in one form, positions without placeholders, legal statuses. */
export async function prepareLead(ctx: Ctx, write: PrepareWrite<LeadRow>): Promise<Partial<LeadRow>> {
  if (write.kind === 'remove') return {}
  const { input } = write
  const phone = input.phonenumber === undefined ? {} : { trimmedPhonenumber: readPhone(ctx, 'phonenumber', input.phonenumber) }
  if (input.contactNumber) readPhone(ctx, 'contactNumber', input.contactNumber)
  return {
    ...phone,
    ...dropPlaceholderPosition(input),
    ...(write.kind === 'create' ? { source: input.source ?? 'UI' } : {}),
    ...(write.kind === 'update' && write.before ? changedFacts(ctx, write.before, { ...input, ...phone }) : {}),
  }
}

/** What follows from new facts: contact points have to be confirmed, and an assessment of other inputs holds no longer. */
function changedFacts(ctx: Ctx, before: LeadRow, input: Partial<LeadRow>): Partial<LeadRow> {
  const isContactChanged =
    !('contactChangedAt' in input) &&
    (differs(before.trimmedPhonenumber, input.trimmedPhonenumber) ||
      differs(before.emailAddress, input.emailAddress) ||
      differs(comparable(ctx, before.contactNumber), comparable(ctx, input.contactNumber)))
  const isAssessed = before.affordabilityOutcome !== 'NONE' && input.affordabilityOutcome === undefined
  return {
    ...(isContactChanged ? { contactChangedAt: new Date(), contactChangedByUserId: ctx.user.id } : {}),
    ...(isAssessed && assessedOtherwise(before, input) ? { affordabilityOutcome: 'EXPIRED' } : {}),
  }
}

const differs = (before: unknown, after: unknown) => after !== undefined && (after ?? null) !== (before ?? null)
/** Only a contact point that can be reached counts, in its one form; undefined stays: nothing was said. */
const comparable = (ctx: Ctx, typed: string | null | undefined) => (typed ? (trimPhone(typed, ctx.company.country) ?? typed) : typed)

/** Whether facts that an assessment goes by are others now; what was not known before is no change. */
function assessedOtherwise(before: LeadRow, input: Partial<LeadRow>): boolean {
  const isOther = (key: 'employer' | 'type') => before[key] !== null && differs(before[key], input[key])
  return (
    isOther('employer') ||
    isOther('type') ||
    (before.onboarding !== null && input.onboarding !== undefined && figuresOf(before.onboarding) !== figuresOf(input.onboarding))
  )
}

/** The figures of an onboarding that a sum is made from. */
function figuresOf(onboarding: unknown): string {
  const { employment, affordability } = (onboarding ?? {}) as Record<'employment' | 'affordability', Record<string, unknown> | undefined>
  const keys = ['livingExpenses', 'existingObligations', 'requestedAmount', 'termMonths'] as const
  return JSON.stringify([
    employment?.['grossIncome'] ?? null,
    employment?.['netIncome'] ?? null,
    ...keys.map((key) => affordability?.[key] ?? null),
  ])
}

/** Beyond the poles and around the world once more there is nothing; 999 alone says that there was no fix. */
function refuseNowhere(input: Partial<LeadRow>): void {
  const limits = { latitude: 90, longitude: 180 }
  const wrong = (['latitude', 'longitude'] as const).filter(
    (key) => Math.abs(Number(input[key] ?? 0)) > limits[key] && Number(input[key]) !== 999,
  )
  if (wrong.length > 0) fail('INVALID', { fields: wrong.map((field) => ({ field, message: `may not be over ${limits[field]}` })) })
}

/** 0 and 999 mean that the device had no fix. */
function dropPlaceholderPosition(input: Partial<LeadRow>): Partial<LeadRow> {
  refuseNowhere(input)
  const isPlaceholder = (value: unknown) => value !== undefined && value !== null && [0, 999].includes(Number(value))
  return isPlaceholder(input.latitude) || isPlaceholder(input.longitude) ? { latitude: null, longitude: null } : {}
}

/** What prevents a status of the lead as it is at this moment, by the days that an assessment holds in this company; null when nothing does. */
export async function refusalOf(ctx: Ctx, record: object, to: LeadStatus): Promise<string | null> {
  if (!needsConsent.includes(to)) return null
  return refuseLeadStatus(to, await standingOf(ctx, record))
}

async function standingOf(ctx: Ctx, record: object): Promise<LeadGuardState & { status: string }> {
  const days = await assessmentDays(ctx)
  const state = record as LeadGuardState & { status: string; affordabilityDate: Date | string | null }
  return { ...state, ...(isOutdated(state.affordabilityDate, days) ? { outdatedAfterDays: days } : {}) }
}

/** As assertTransition, by the days that an assessment holds in this company. */
export const refuseTransition = async (ctx: Ctx, before: object, to: string, reason?: string | null): Promise<void> =>
  assertTransition(await standingOf(ctx, before), to, reason)

/** Fails with ILLEGAL_TRANSITION and the allowed list, or with INVALID for a missing reason. */
export function assertTransition(before: LeadGuardState & { status: string }, to: string, reason: string | null | undefined): void {
  const allowed = nextLeadStatuses(before.status)
  if (!isLeadStatus(to)) failField('status', 'is not a status of a lead')
  if (!allowed.includes(to)) {
    fail('ILLEGAL_TRANSITION', { message: `A lead that is ${before.status} cannot become ${to}.`, details: { allowed } })
  }
  const refusal = refuseLeadStatus(to, before)
  if (refusal)
    fail('ILLEGAL_TRANSITION', { message: refusal, details: { allowed: allowed.filter((name) => !refuseLeadStatus(name, before)) } })
  if (needsReason(to) && !reason?.trim()) failField('reason', `Say why the lead becomes ${to}.`)
}
