import { fail } from '@outpost/contract/errors'
import { isLeadStatus, needsReason, nextLeadStatuses, refuseLeadStatus, type LeadGuardState } from '@outpost/rules/lead-status'
import { trimPhone } from '@outpost/rules/phone'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type LeadRow = ModelRow<'lead'>

/** Last look at a lead before it is written: numbers in one form, positions without placeholders, legal statuses. */
export function prepareLead(ctx: Ctx, write: PrepareWrite<LeadRow>): Partial<LeadRow> {
  if (write.kind === 'remove') return {}
  const { input } = write
  return {
    ...(input.phonenumber === undefined ? {} : { trimmedPhonenumber: readPhone(ctx, input.phonenumber) }),
    ...dropPlaceholderPosition(input),
    ...(write.kind === 'create' ? newLead(ctx, input) : {}),
    ...(write.kind === 'update' && write.before ? nextStatus(write.before, input) : {}),
  }
}

function readPhone(ctx: Ctx, typed: string): string {
  const trimmed = trimPhone(typed, ctx.company.country)
  return trimmed ?? fail('INVALID', { fields: [{ field: 'phonenumber', message: `is not a phone number of ${ctx.company.country} nor an international one` }] })
}

/** 0 and 999 mean that the device had no fix. */
function dropPlaceholderPosition(input: Partial<LeadRow>): Partial<LeadRow> {
  const isPlaceholder = (value: unknown) => value !== undefined && value !== null && [0, 999].includes(Number(value))
  return isPlaceholder(input.latitude) || isPlaceholder(input.longitude) ? { latitude: null, longitude: null } : {}
}

function newLead(ctx: Ctx, input: Partial<LeadRow>): Partial<LeadRow> {
  return {
    status: 'New', source: input.source ?? 'UI', consentStatus: 'NONE PROVIDED', affordabilityOutcome: 'NONE',
    createdByUserId: ctx.user.id, leadCreatedBy: `${ctx.user.firstName} ${ctx.user.lastName}`,
  }
}

/** Refuses a status that may not follow the present one; a lost lead needs a reason. */
function nextStatus(before: LeadRow, input: Partial<LeadRow>): Partial<LeadRow> {
  if (input.status === undefined || input.status === before.status) return {}
  assertTransition(before, input.status, input.statusReason)
  return { status: input.status, statusReason: input.statusReason ?? null }
}

/** Fails with ILLEGAL_TRANSITION and the allowed list, or with INVALID for a missing reason. */
export function assertTransition(before: LeadGuardState & { status: string }, to: string, reason: string | null | undefined): void {
  const allowed = nextLeadStatuses(before.status)
  if (!isLeadStatus(to)) fail('INVALID', { fields: [{ field: 'status', message: 'is not a status of a lead' }] })
  if (!allowed.includes(to)) {
    fail('ILLEGAL_TRANSITION', { message: `A lead that is ${before.status} cannot become ${to}.`, details: { allowed } })
  }
  const refusal = refuseLeadStatus(to, before)
  if (refusal) fail('ILLEGAL_TRANSITION', { message: refusal, details: { allowed: allowed.filter((name) => !refuseLeadStatus(name, before)) } })
  if (needsReason(to) && !reason?.trim()) fail('INVALID', { fields: [{ field: 'reason', message: `Say why the lead becomes ${to}.` }] })
}
