import type { BoardView, WidgetView } from '@outpost/contract/widget-view'

/** The widgets a dashboard begins with: figures first, in whole rows of one height, and none alone in a row of four. */
export function firstWidgets({ widgets, first }: Pick<BoardView, 'widgets' | 'first'>): WidgetView[] {
  const byId = new Map(widgets.map((widget) => [widget.id, widget]))
  const begun = first.flatMap((id) => byId.get(id) ?? [])
  const [figures, drawings] = [begun.filter(({ draw }) => draw === 'number'), begun.filter(({ draw }) => draw !== 'number')]
  return [...figures.slice(0, Math.max(4, figures.length - (figures.length % 4))), ...drawings]
}
