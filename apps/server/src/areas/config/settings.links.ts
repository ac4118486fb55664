import type { Permission } from '@outpost/contract/permissions'
import type { SettingItem } from '@outpost/contract/settings'
import { sql } from '@outpost/platform/db/sql'
import { countRecords } from '../../kernel/resource/read/list.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { AnyResource, Ctx } from '../../kernel/types.ts'
import { activityStatus, activityType } from '../activities/index.ts'
import { ruleSet } from '../calculators/index.ts'
import { assignmentRule } from '../leads/index.ts'
import { pipeline } from '../pipelines/index.ts'
import { role } from '../roles/index.ts'
import { tenant } from '../tenants/index.ts'
import { user } from '../users/index.ts'
import { holiday, workingCalendar } from '../working-time/index.ts'
import { inBytes, spaceOf } from '../../kernel/uploads/space.ts'
import { languageLabel } from './label.resource.ts'

interface Linked extends Pick<SettingItem, 'key' | 'label' | 'help'> {
  section: string
  /** Without: a fact that is shown only. */
  open?: string
  /** Any of these opens the screen; everybody's without. */
  permissions?: readonly Permission[]
  now?: (ctx: Ctx) => Promise<string>
}

/** "12 roles": as many as the screen behind it lists. */
const counted =
  (resource: AnyResource, [one, many, none]: readonly [string, string, string]) =>
  async (ctx: Ctx): Promise<string> => {
    const count = await countRecords(ctx, resource, {})
    return count === 0 ? none : `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
  }

const settings = ['ADMIN/SETTINGS'] as const
const links: readonly Linked[] = [
  {
    section: 'region',
    key: 'working-hours',
    label: 'Working hours',
    help: 'The week and its hours, of the company and of branches that have their own. Targets and deadlines go by them.',
    open: '/admin/working-hours',
    permissions: settings,
    now: counted(workingCalendar, ['week of your own', 'weeks of your own', 'Monday to Friday, 08:00 to 17:00']),
  },
  {
    section: 'region',
    key: 'holidays',
    label: 'Holidays',
    help: 'Days on which nobody works, of the company or of a branch.',
    open: '/admin/holidays',
    permissions: settings,
    now: counted(holiday, ['day', 'days', 'none yet']),
  },
  {
    section: 'field',
    key: 'activity-types',
    label: 'Activity types',
    help: 'What visits are called, how long they take and how near one must be.',
    open: '/admin/sales/activity-types',
    permissions: settings,
    now: counted(activityType, ['type', 'types', 'none yet']),
  },
  {
    section: 'field',
    key: 'activity-statuses',
    label: 'Activity statuses',
    help: 'The steps of a visit in your words, each with its meaning and colour.',
    open: '/admin/sales/activity-statuses',
    permissions: settings,
    now: counted(activityStatus, ['status', 'statuses', 'none yet']),
  },
  {
    section: 'credit',
    key: 'pipelines',
    label: 'Pipelines',
    help: 'The stages that leads and cases go through, and who may move them.',
    open: '/admin/sales/pipelines/list',
    permissions: ['SALES'],
    now: counted(pipeline, ['pipeline of your own', 'pipelines of your own', 'the stages of Outpost']),
  },
  {
    section: 'credit',
    key: 'assignment-rules',
    label: 'Assignment rules',
    help: 'Who gets a lead that comes in without an agent.',
    open: '/admin/sales/assignment-rules',
    permissions: ['SALES/TEAMS/EDIT', 'ADMIN/SETTINGS'],
    now: counted(assignmentRule, ['rule', 'rules', 'none: leads wait for somebody']),
  },
  {
    section: 'credit',
    key: 'calculator-rules',
    label: 'Calculator rules',
    help: 'Floors, shares and rates of the affordability calculators, from a day on.',
    open: '/admin/calculators',
    permissions: settings,
    now: counted(ruleSet, ['set of your own', 'sets of your own', 'the country’s rules']),
  },
  {
    section: 'people',
    key: 'users',
    label: 'Users',
    help: 'Who signs in, with which role and in which branch.',
    open: '/admin/users/list',
    permissions: ['ADMIN/USERS'],
    now: counted(user, ['active user', 'active users', 'none']),
  },
  {
    section: 'people',
    key: 'roles',
    label: 'Roles',
    help: 'What people of a role may see and do.',
    open: '/admin/roles/list',
    permissions: ['ADMIN/ROLES'],
    now: counted(role, ['role', 'roles', 'none']),
  },
  {
    section: 'people',
    key: 'tenants',
    label: 'Branches and teams',
    help: 'The tree that says who sees whose records.',
    open: '/admin/tenants/list',
    permissions: ['ADMIN/TENANTS'],
    now: counted(tenant, ['tenant', 'tenants', 'none']),
  },
  {
    section: 'limits',
    key: 'storage-used',
    label: 'Storage used so far',
    help: 'What the files of the company take of its storage. An upload that does not fit is refused with these numbers.',
    permissions: settings,
    now: async (ctx) => {
      const { used, most } = await spaceOf(ctx)
      return `${inBytes(used)} / ${inBytes(most)}`
    },
  },
  {
    section: 'console',
    key: 'labels',
    label: 'Words',
    help: 'A label of the console replaced by the word your company uses.',
    open: '/admin/settings/labels',
    permissions: settings,
    now: counted(languageLabel, ['word replaced', 'words replaced', 'the console’s own words']),
  },
  {
    section: 'proof',
    key: 'audit',
    label: 'Audit chain',
    help: 'Every change is written into a chain; a check finds whether one was altered or removed.',
    open: '/admin/audit',
    permissions: settings,
    now: lastCheck,
  },
  {
    section: 'own',
    key: 'notifications',
    label: 'Notifications',
    help: 'Which news rings on your bell and which comes by e-mail.',
    open: '/notifications',
    now: ownWishes,
  },
  {
    section: 'own',
    key: 'profile',
    label: 'Profile and sessions',
    help: 'Your name, your password, and the devices you are signed in on.',
    open: '/profile',
  },
]

/** The settings that have a screen of their own and that the caller may open, with their values. */
export async function linkedSettings(ctx: Ctx): Promise<(SettingItem & { section: string })[]> {
  const own = links.filter(({ permissions }) => permissions === undefined || holdsAny(ctx, ...permissions))
  return Promise.all(own.map(async ({ permissions: _, now, ...link }) => ({ ...link, ...(now ? { now: await now(ctx) } : {}) })))
}

async function lastCheck(ctx: Ctx): Promise<string> {
  const last = await ctx.sql.maybe<{ isWhole: boolean; day: string }>(sql`
    select "isWhole", to_char("at" at time zone ${ctx.company.timeZone}, 'FMDD Mon YYYY') as day from audit_check where "companyId" = ${ctx.company.id}::uuid order by "at" desc limit 1`)
  if (!last) return 'not checked yet'
  return `${last.isWhole ? 'whole' : 'broken'} on ${last.day}`
}

async function ownWishes(ctx: Ctx): Promise<string> {
  const { silent, mailed } = await ctx.sql.one<{ silent: number; mailed: number }>(sql`
    select count(*) filter (where not "bell")::int as silent, count(*) filter (where "mail")::int as mailed
    from notification_preference where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid`)
  return silent === 0 && mailed === 0
    ? 'everything rings, nothing by e-mail'
    : `${silent} ${silent === 1 ? 'kind' : 'kinds'} silent, ${mailed} by e-mail`
}
