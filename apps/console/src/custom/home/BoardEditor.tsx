import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { GridLayout, useContainerWidth, type Layout } from 'react-grid-layout'
import 'react-grid-layout/css/styles.css'
import type { WidgetView } from '@outpost/contract/views'
import { t } from '../../session/labels.ts'
import { Widget } from '../../view/kinds/dashboard/Widget.tsx'
import { columns, gap, leastOf, rowHeight, type Place, type Step } from './layout.ts'

interface EditorProps {
  places: readonly Place[]
  widgets: ReadonlyMap<string, WidgetView>
  onChange: (places: Place[]) => void
  onStep: (id: string, step: Step) => void
  onRemove: (id: string) => void
}

const steps: Record<string, [plain: Step, withShift: Step]> = {
  ArrowLeft: ['left', 'narrower'],
  ArrowRight: ['right', 'wider'],
  ArrowUp: ['up', 'shorter'],
  ArrowDown: ['down', 'taller'],
}

/** The dashboard while it is arranged: drag a tile, pull its corner, or focus it and use the arrows (Shift sizes, Delete removes). */
export function BoardEditor({ places, widgets, onChange, onStep, onRemove }: EditorProps) {
  // Unmeasured, the grid would be drawn 1280 px wide for a moment, and the page could be scrolled sideways.
  const { width, containerRef, mounted } = useContainerWidth({ measureBeforeMount: true })
  // The grid reports its layout when it is mounted too; only what hands moved is a change.
  const isMoving = useRef(false)
  const layout = places.map(({ id, ...place }) => ({ i: id, ...place, ...least(widgets.get(id)) }))
  const take = (next: Layout) => onChange(next.map(({ i, x, y, w, h }) => ({ id: i, x, y, w, h })))
  const press = (id: string) => (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const step = steps[event.key]?.[event.shiftKey ? 1 : 0]
    if (step) onStep(id, step)
    else if (event.key === 'Delete') onRemove(id)
    else return
    event.preventDefault()
  }
  return (
    <div ref={containerRef} className="hw-editor">
      <p id="hw-keys" className="o-hidden">
        {t('Arrows move, Shift and arrows size, Delete removes.')}
      </p>
      {mounted && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={{ cols: columns, rowHeight, margin: [gap, gap], containerPadding: [0, 0] }}
          dragConfig={{ enabled: true, cancel: 'a, button' }}
          onDragStart={() => {
            isMoving.current = true
          }}
          onResizeStart={() => {
            isMoving.current = true
          }}
          onLayoutChange={(next) => {
            if (isMoving.current) {
              isMoving.current = false
              take(next)
            }
          }}
        >
          {places.flatMap(({ id }) => {
            const widget = widgets.get(id)
            return widget
              ? [
                  <div
                    key={id}
                    className="hw-tile"
                    data-draw={widget.draw}
                    tabIndex={0}
                    role="group"
                    aria-label={t(widget.title)}
                    aria-describedby="hw-keys"
                    onKeyDown={press(id)}
                  >
                    <Widget widget={widget} />
                  </div>,
                ]
              : []
          })}
        </GridLayout>
      )}
    </div>
  )
}

function least(widget: WidgetView | undefined): { minW: number; minH: number } {
  const { w, h } = leastOf(widget ?? { draw: 'number' })
  return { minW: w, minH: h }
}
