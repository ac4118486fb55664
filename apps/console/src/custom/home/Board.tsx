import dayjs from 'dayjs'
import type { WidgetView } from '@outpost/contract/views'
import { dateShape } from '../../view/formats.ts'
import { Widget } from '../../view/kinds/dashboard/Widget.tsx'
import type { Place } from './layout.ts'

interface BoardProps {
  places: readonly Place[]
  widgets: ReadonlyMap<string, WidgetView>
  refreshMs: number
}

/** The dashboard for reading: tiles at their places on a wide window, one under the other on a narrow one. */
export function Board({ places, widgets, refreshMs }: BoardProps) {
  // The days that drawings cover unless their call says otherwise.
  const period = { startDate: dayjs().subtract(29, 'day').format(dateShape), endDate: dayjs().format(dateShape) }
  return (
    <div className="hw-board">
      {places.map(({ id, x, y, w, h }) => {
        const widget = widgets.get(id)
        return (
          widget && (
            <div
              key={id}
              className="hw-tile"
              data-draw={widget.draw}
              style={{ '--x': x + 1, '--y': y + 1, '--w': w, '--h': h } as React.CSSProperties}
            >
              <Widget widget={widget} period={period} refreshMs={refreshMs} />
            </div>
          )
        )
      })}
    </div>
  )
}
