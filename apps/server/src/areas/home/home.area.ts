import { mayAny } from '@outpost/rules/people/permission'
import { z } from 'zod'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { noInput, query } from '../../kernel/resource/operations.ts'
import { custom, screen } from '../../kernel/screens/screen.ts'
import type { Answer, Area, Ctx } from '../../kernel/types.ts'
import { figureOf, tileFigureSchema, type Tile } from '../../kernel/screens/tiles.ts'

const figuresAnswer = z.strictObject({ tiles: z.record(z.string(), tileFigureSchema) })

/** Each number of the dashboards with the address of its rows, cut to the caller's permissions and reach; days in the company's time zone. */
async function homeFigures(ctx: Ctx, tiles: readonly Tile[]): Promise<Answer> {
  const own = tiles.filter(({ permissions, alsoNeeds }) => mayAny(ctx, permissions) && (!alsoNeeds || mayAny(ctx, [alsoNeeds])))
  const figures = await Promise.all(own.map(async (tile) => [tile.id, await figureOf(ctx, tile)] as const))
  return { data: { tiles: Object.fromEntries(figures) } }
}

/** Where people land: the dashboard with the tiles that the `areas` declare, My Work, and what their device could not send. */
export const homeArea = (areas: readonly Area[]): Area => defineArea({
  name: 'home',
  routes: [
    route('home.figures', 'GET', '/api/home/figures', anySession, query(noInput, (ctx) => homeFigures(ctx, areas.flatMap(({ tiles }) => tiles)), figuresAnswer), { own: true, summary: 'Figures of the home dashboard' }),
  ],
  screens: [
    screen('/', anySession, custom('home', 'Dashboard'), { offline: true, shape: 'board', menu: { under: null, label: 'Dashboard', icon: 'dashboard', order: 0 } }),
    screen('/agents/dashboard', anySession, custom('home', 'Dashboard'), { offline: true, shape: 'board' }),
    screen('/sales/dashboard', may('SALES'), custom('home', 'Sales dashboard', () => ({ board: 'sales' })), { offline: true, shape: 'board', menu: { under: 'sales', label: 'Sales dashboard', icon: 'dashboard', order: 20 } }),
    screen('/agents/landingpage', may('SALES/AGENTS/MYWORK'), custom('my-work', 'My Work'), { offline: true, shape: 'board', menu: { under: 'sales', label: 'My Work', icon: 'schedule', order: 1 } }),
    screen('/offline/attention', anySession, custom('needs-attention', 'Needs attention'), { offline: true }),
  ],
})
