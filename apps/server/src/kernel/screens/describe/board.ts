import type { BoardView } from '@outpost/contract/widget-view'
import { viewpointOf, type Viewpoint } from '@outpost/rules/people/viewpoint'
import { identityOf } from '../../session/layout.ts'
import { roleNames } from '../../session/policy.ts'
import type { Ctx } from '../../types.ts'
import { openOf, type Catalogue } from '../catalogue.ts'
import { maySee } from '../tiles.ts'
import type { WidgetBoard, BoardWidget, Tile } from '../widgets.ts'
import { describeWidgets } from './describe.ts'

/** A board as the caller has it: the widgets that are open to them, and which of these it begins with. */
export async function describeBoard(ctx: Ctx, catalogue: Catalogue, board: WidgetBoard): Promise<BoardView> {
  const { roles } = await identityOf(ctx)
  return boardFor(ctx, catalogue, { board, viewpoint: viewpointOf(roleNames(roles)) })
}

/** The same for whoever looks from that viewpoint. */
export function boardFor(
  ctx: Ctx,
  catalogue: Catalogue,
  { board: { name, figures }, viewpoint }: { board: WidgetBoard; viewpoint: Viewpoint },
): BoardView {
  const numbers = figures === undefined ? [] : catalogue.tiles.filter((tile) => maySee(ctx, tile)).map((tile) => widgetOf(tile, figures))
  const isOpen = ({ open }: BoardWidget) => open === undefined || openOf(ctx, catalogue, open) !== undefined
  const offered = [...numbers, ...catalogue.widgets].filter((widget) => Object.hasOwn(widget.on, name) && isOpen(widget))
  const widgets = describeWidgets(
    ctx,
    catalogue,
    offered.map(({ on: _, ...widget }) => widget),
  )
  const known = new Set(widgets.map(({ id }) => id))
  const first = offered
    .flatMap(({ id, on }) => {
      const place = placeOf(on[name], viewpoint)
      return place === undefined || !known.has(id) ? [] : [{ id, place }]
    })
    .toSorted((a, b) => a.place - b.place)
  return { board: name, widgets, first: first.map(({ id }) => id) }
}

const placeOf = (places: BoardWidget['on'][string] | undefined, viewpoint: Viewpoint): number | undefined =>
  typeof places === 'object' ? places[viewpoint] : places

/** A number among the widgets: the call that counts the board's tiles fills it, and says which rows it opens. */
const widgetOf = ({ id, title, on, screen }: Tile, figures: string): BoardWidget => ({
  id,
  title,
  on,
  draw: 'number',
  source: figures,
  value: `tiles.${id}`,
  open: screen,
  span: 6,
})
