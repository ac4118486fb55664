import { quietUntil } from '@outpost/rules/calendar/quiet-hours'
import type { Setting } from '../settings/define.ts'
import { settingOf } from '../settings/read.ts'
import type { Ctx } from '../types.ts'

const ofCompany = { section: 'news', level: 'company', unit: 'o’clock', min: 0, max: 23, standard: 0 } as const

/** Between which hours mails and push messages of news wait until the morning. The bell rings all the same: it disturbs who works anyway. */
export const quietHours = {
  from: {
    ...ofCompany,
    name: 'quietFromHour',
    label: 'Quiet hours begin at',
    help: 'From then on news by e-mail and on devices waits. What is urgent does not. The same hour twice: no quiet hours.',
  },
  until: {
    ...ofCompany,
    name: 'quietUntilHour',
    label: 'Quiet hours end at',
    help: 'What waited is sent then, unless it was read meanwhile.',
  },
} as const satisfies Record<string, Setting>

/** When news may be sent that comes now; undefined: at once. On the clock of the company worked in. */
export async function sentFrom(ctx: Ctx): Promise<Date | undefined> {
  const [from, until] = [await settingOf(ctx, quietHours.from, ctx.company.id), await settingOf(ctx, quietHours.until, ctx.company.id)]
  const end = quietUntil(Date.now(), { from, until, timeZone: ctx.company.timeZone })
  return end === null ? undefined : new Date(end)
}
