import type { TileFigure } from '@outpost/contract/tiles'
import { mayAny } from '@outpost/rules/people/permission'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { noInput, query } from '../../kernel/resource/operations.ts'
import { custom, screen } from '../../kernel/screens/screen.ts'
import type { Answer, Area, Ctx } from '../../kernel/types.ts'
import { figureOf, type Tile } from '../../kernel/screens/tiles.ts'
import { doneIn } from '../activities/index.ts'
import { countOnlineAgents } from '../agents/index.ts'
import { labelOf, myTargets, runningTargets } from '../targets/index.ts'

const figure = z.strictObject({ value: z.number(), before: z.number().optional(), period: z.string(), open: z.string() })
const figuresAnswer = z.strictObject({ tiles: z.record(z.string(), figure) })
const branchesAnswer = z.strictObject({ branches: z.array(figure.extend({ Id: identifierSchema, name: z.string() })) })
const reached = z.strictObject({ label: z.string(), percent: z.number() })
const targetsAnswer = z.strictObject({ targets: z.array(reached) })
const teamTargetsAnswer = z.strictObject({ targets: z.array(reached.extend({ Id: identifierSchema, open: z.string() })) })

/** Each number of the dashboards with the address of its rows, cut to the caller's permissions and reach; days in the company's time zone. */
async function homeFigures(ctx: Ctx, tiles: readonly Tile[]): Promise<Answer> {
  const own = tiles.filter(({ permissions, alsoNeeds }) => mayAny(ctx, permissions) && (!alsoNeeds || mayAny(ctx, [alsoNeeds])))
  const [figures, agentsOnline] = await Promise.all([
    Promise.all(own.map(async (tile) => [tile.id, await figureOf(ctx, tile)] as const)),
    mayAny(ctx, ['SALES/AGENTS/HISTORY', 'SALES/TEAMS']) ? countOnlineAgents(ctx) : undefined,
  ])
  const online: TileFigure | undefined = agentsOnline === undefined ? undefined : { value: agentsOnline, period: 'Now', open: '/sales/agents/map?show=online' }
  return { data: { tiles: { ...Object.fromEntries(figures), ...(online ? { 'agents-online': online } : {}) } } }
}

/** Visits done today in each branch of the caller's reach, with the address of their rows. */
async function doneByBranch(ctx: Ctx): Promise<Answer> {
  const branches = await ctx.sql.query<{ id: string, name: string }>(sql`
    select "id", "name" from tenant where "companyId" = ${ctx.company.id} and "type" = 3 and "deletedAt" is null
      ${ctx.scope === '*' ? sql`` : sql`and "id" = any(${ctx.scope}::uuid[])`} order by "name", "id" limit 100`)
  return { data: { branches: await Promise.all(branches.map(async ({ id, name }) => ({ Id: id, name, ...await figureOf(ctx, doneIn(id)) }))) } }
}

/** The caller's running targets as a drawing takes them: what counts, and how much of it is reached in percent. */
async function homeTargets(ctx: Ctx): Promise<Answer> {
  const { data } = await myTargets(ctx) as { data: { targets: { metric: string, figures?: { attainment: number } }[] } }
  const targets = data.targets.map(({ metric, figures }) => ({ label: labelOf(metric), percent: figures?.attainment ?? 0 }))
  return { data: { targets } }
}

const maxTargets = 12

/** The running targets of the branches and teams in reach, in percent: those that are furthest behind, 12 at most, as percents of several do not add up. */
async function homeTeamTargets(ctx: Ctx): Promise<Answer> {
  const running = await runningTargets(ctx)
  const targets = running.map(({ Id, ownerName, metric, figures }) => ({
    Id, label: `${String(ownerName)}: ${labelOf(String(metric))}`, percent: figures?.attainment ?? 0, open: `/sales/targets?open=${Id}`,
  }))
  return { data: { targets: targets.toSorted((a, b) => a.percent - b.percent).slice(0, maxTargets) } }
}

/** Where people land: the dashboard with the tiles that the `areas` declare, My Work, and what their device could not send. */
export const homeArea = (areas: readonly Area[]): Area => defineArea({
  name: 'home',
  routes: [
    route('home.figures', 'GET', '/api/home/figures', anySession, query(noInput, (ctx) => homeFigures(ctx, areas.flatMap(({ tiles }) => tiles)), figuresAnswer), { own: true, summary: 'Figures of the home dashboard' }),
    route('home.doneByBranch', 'GET', '/api/home/done-by-branch', may('SALES/ACTIVITIES/ACTIVITIES'), query(noInput, doneByBranch, branchesAnswer), { own: true, summary: 'Visits done today, a row each branch' }),
    route('home.teamTargets', 'GET', '/api/home/team-targets', may('SALES/TARGETS'), query(noInput, homeTeamTargets, teamTargetsAnswer), { own: true, summary: 'Running targets of branches and teams in reach, in percent' }),
    route('home.targets', 'GET', '/api/home/targets', may('SALES/TARGETS', 'SALES/AGENTS/MYWORK'), query(noInput, homeTargets, targetsAnswer), { own: true }),
  ],
  screens: [
    screen('/', anySession, custom('home', 'Dashboard'), { offline: true, shape: 'board', menu: { under: null, label: 'Dashboard', icon: 'dashboard', order: 0 } }),
    screen('/agents/dashboard', anySession, custom('home', 'Dashboard'), { offline: true, shape: 'board' }),
    screen('/sales/dashboard', may('SALES'), custom('home', 'Sales dashboard', () => ({ board: 'sales' })), { offline: true, shape: 'board', menu: { under: 'sales', label: 'Sales dashboard', icon: 'dashboard', order: 20 } }),
    screen('/agents/landingpage', may('SALES/AGENTS/MYWORK'), custom('my-work', 'My Work'), { offline: true, shape: 'board', menu: { under: 'sales', label: 'My Work', icon: 'schedule', order: 1 } }),
    screen('/offline/attention', anySession, custom('needs-attention', 'Needs attention'), { offline: true }),
  ],
})
