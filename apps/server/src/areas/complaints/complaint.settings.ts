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
} as const satisfies Record<string, Setting>

/** The times of a branch. */
export async function timesOf(ctx: Ctx, tenantId: string): Promise<{ firstResponseHours: number; resolutionDays: number }> {
  const { firstResponseHours, resolutionDays } = complaintSettings
  return {
    firstResponseHours: await settingOf(ctx, firstResponseHours, tenantId),
    resolutionDays: await settingOf(ctx, resolutionDays, tenantId),
  }
}
