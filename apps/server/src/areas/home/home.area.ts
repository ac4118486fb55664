import { z } from 'zod'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { noInput, query } from '../../kernel/resource/operations.ts'
import { custom, screen, widgetBoard } from '../../kernel/screens/screen.ts'
import { figureOf, maySee, tileFigureSchema } from '../../kernel/screens/tiles.ts'
import type { Tile } from '../../kernel/screens/widgets.ts'
import type { Answer, Area, Ctx } from '../../kernel/types.ts'

const figuresAnswer = z.strictObject({ tiles: z.record(z.string(), tileFigureSchema) })
const board = (name: string, title: string) => widgetBoard('home', title, { name, figures: 'home.figures' })

/** Each number of the dashboards with the address of its rows, cut to the caller's permissions and reach; days in the company's time zone. */
async function homeFigures(ctx: Ctx, tiles: readonly Tile[]): Promise<Answer> {
  const own = tiles.filter((tile) => maySee(ctx, tile))
  const figures = await Promise.all(own.map(async (tile) => [tile.id, await figureOf(ctx, tile)] as const))
  return { data: { tiles: Object.fromEntries(figures) } }
}

/** Where people land: the dashboards of what the `areas` declare, and what their device could not send. */
export const homeArea = (areas: readonly Area[]): Area => defineArea({
  name: 'home',
  routes: [
    route('home.figures', 'GET', '/api/home/figures', anySession, query(noInput, (ctx) => homeFigures(ctx, areas.flatMap(({ tiles }) => tiles)), figuresAnswer), { own: true, summary: 'Figures of the home dashboard' }),
  ],
  screens: [
    screen('/', anySession, board('home', 'Dashboard'), { offline: true, shape: 'board', menu: { under: null, label: 'Dashboard', icon: 'dashboard', order: 0 } }),
    screen('/agents/dashboard', anySession, board('home', 'Dashboard'), { offline: true, shape: 'board' }),
    screen('/sales/dashboard', may('SALES'), board('sales', 'Sales dashboard'), { offline: true, shape: 'board', menu: { under: 'sales', label: 'Sales dashboard', icon: 'dashboard', order: 20 } }),
    screen('/offline/attention', anySession, custom('needs-attention', 'Needs attention'), { offline: true }),
  ],
})
