import { regulatorDays, statusLetterDays } from '@outpost/rules/complaints/regulator'
import type { Setting } from '../../kernel/settings/define.ts'
import { settingOf } from '../../kernel/settings/read.ts'
import type { Ctx } from '../../kernel/types.ts'

const ofBranch = { section: 'complaints', level: 'branch' } as const

/** How soon complaints are answered and settled, of medium severity; a slight one has twice as long, a high one half, a critical one a quarter. */
export const complaintSettings = {
  firstResponseHours: {
    ...ofBranch,
    name: 'complaintFirstResponseHours',
    label: 'First reply to a client within',
    help: 'Counted in hours of work. A slight complaint has twice as long, a high one half, a critical one a quarter.',
    unit: 'hours of work',
    min: 1,
    max: 200,
    standard: 8,
  },
  resolutionDays: {
    ...ofBranch,
    name: 'complaintResolutionDays',
    label: 'A complaint is settled within',
    help: 'Counted in days of work; time in which it waits for the client is left out.',
    unit: 'days of work',
    min: 1,
    max: 60,
    standard: 5,
  },
  regulatorDays: {
    section: 'complaints',
    level: 'company',
    name: 'complaintRegulatorDays',
    label: 'A client may go to the ombud or regulator after',
    help: 'Counted in days of the calendar since the complaint came in, whatever pauses. Letters to clients say it.',
    unit: 'days',
    min: 7,
    max: 365,
    standard: regulatorDays,
  },
  statusLetterDays: {
    section: 'complaints',
    level: 'company',
    name: 'complaintStatusLetterDays',
    label: 'A letter about the state of an open complaint after',
    help: 'Counted in days of the calendar since the complaint came in. It is sent by mail once, or its handler is told to print it.',
    unit: 'days',
    min: 1,
    max: 365,
    standard: statusLetterDays,
  },
} as const satisfies Record<string, Setting>

/** The times of a branch. */
export async function timesOf(ctx: Ctx, tenantId: string): Promise<{ firstResponseHours: number; resolutionDays: number }> {
  const { firstResponseHours, resolutionDays } = complaintSettings
  return {
    firstResponseHours: await settingOf(ctx, firstResponseHours, tenantId),
    resolutionDays: await settingOf(ctx, resolutionDays, tenantId),
  }
}

/** After how many days clients of the company may go elsewhere, and are written to. */
export async function regulatorTimesOf(ctx: Ctx): Promise<{ regulatorDays: number; statusLetterDays: number }> {
  const { id } = ctx.company
  return {
    regulatorDays: await settingOf(ctx, complaintSettings.regulatorDays, id),
    statusLetterDays: await settingOf(ctx, complaintSettings.statusLetterDays, id),
  }
}
