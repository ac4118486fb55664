import { AppstoreAddOutlined } from '@ant-design/icons'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { BoardView, WidgetView } from '@outpost/contract/widget-view'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { ScreenOutline } from '../../view/states/Outline.tsx'
import { StatePanel } from '../../view/states/index.tsx'
import { useMedia } from '../../view/useMedia.ts'
import type { CustomProps } from '../props.ts'
import { Board } from './Board.tsx'
import { firstWidgets } from './first-widgets.ts'
import { flow, known, leastOf, nudge, withWidget, type Place, type Step } from './layout.ts'
import { useBoard } from './useBoard.ts'
import { WidgetPanel } from './WidgetPanel.tsx'
import './home.css'

/** Dragging takes a library that readers do without. */
const BoardEditor = lazy(() => import('./BoardEditor.tsx').then((file) => ({ default: file.BoardEditor })))

/** A dashboard of figures the user chose and arranged, each leading to its rows. */
export function Home({ view }: CustomProps) {
  const { layout } = useSession()
  // A view that an older program kept on this device names no widgets.
  const board: BoardView = useMemo(() => ({ board: 'home', widgets: [], first: [], ...view.data }), [view.data])
  return layout && <Dashboard key={board.board} userId={layout.user.Id} board={board} title={view.title} />
}

function Dashboard({ userId, board, title }: { userId: string; board: BoardView; title: string }) {
  const navigate = useNavigate()
  const { pathname, isPanelOpen } = useRouterState({
    select: ({ location }) => ({ pathname: location.pathname, isPanelOpen: (location.search as { widgets?: string }).widgets === 'open' }),
    structuralSharing: true,
  })
  const isWide = useMedia('(min-width: 992px)')
  const permitted = board.widgets
  const widgets = useMemo(() => new Map(permitted.map((widget) => [widget.id, widget])), [permitted])
  const arranging = useArrangement({ board, userId, widgets })
  const { places, isReady } = arranging
  const setPanel = (isOpen: boolean) => void navigate({ to: pathname, search: isOpen ? { widgets: 'open' } : {}, replace: true })
  if (!isReady) return <ScreenOutline title={title} shape="board" />
  const reading = <Board places={places} widgets={widgets} refreshMs={60_000} />
  return (
    <div className="hw" data-panel={isPanelOpen || undefined}>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t(title)}</h1>
        </div>
        <div className="view-header-actions">
          {permitted.length > 0 && !isPanelOpen && (
            <Button icon={<AppstoreAddOutlined />} onClick={() => setPanel(true)}>
              {t('Arrange')}
            </Button>
          )}
        </div>
      </header>
      {places.length === 0 ? (
        <StatePanel
          title={permitted.length > 0 ? t('Your dashboard is empty') : t('There are no figures for your role')}
          action={
            permitted.length > 0 && (
              <Button type="primary" icon={<AppstoreAddOutlined />} onClick={() => setPanel(true)}>
                {t('Add widgets')}
              </Button>
            )
          }
        />
      ) : isPanelOpen && isWide ? (
        <Suspense fallback={reading}>
          <BoardEditor places={places} widgets={widgets} onChange={arranging.choose} onStep={arranging.step} onRemove={arranging.remove} />
        </Suspense>
      ) : (
        reading
      )}
      <WidgetPanel
        isOpen={isPanelOpen}
        isWide={isWide}
        permitted={permitted}
        places={places}
        told={arranging.told}
        onAdd={arranging.add}
        onRemove={arranging.remove}
        onStep={arranging.step}
        onReset={() => arranging.choose(null)}
        onClose={() => setPanel(false)}
      />
    </div>
  )
}

interface Arranging {
  board: BoardView
  userId: string
  widgets: ReadonlyMap<string, WidgetView>
}

/** The places of the widgets and what may be done to them; each change is announced. */
function useArrangement({ board, userId, widgets }: Arranging) {
  const { places: kept, isReady, choose } = useBoard(board.board, userId)
  const [told, setTold] = useState('')
  const places: Place[] = useMemo(() => (kept ? known(kept, board.widgets) : flow(firstWidgets(board))), [kept, board])
  const titleOf = (id: string) => t(widgets.get(id)?.title ?? '')
  const step = (id: string, one: Step) => {
    const next = nudge(places, id, one, leastOf(widgets.get(id) ?? { draw: 'number' }))
    const at = next.find((place) => place.id === id)
    choose(next)
    setTold(at ? `${titleOf(id)}: ${t('column')} ${at.x + 1}, ${t('row')} ${at.y + 1}, ${at.w} ${t('wide')}, ${at.h} ${t('high')}` : '')
  }
  const remove = (id: string) => {
    choose(places.filter((place) => place.id !== id))
    setTold(`${titleOf(id)}: ${t('removed')}`)
  }
  const add = (widget: WidgetView) => {
    choose(withWidget(places, widget))
    setTold(`${t(widget.title)}: ${t('added at the end')}`)
  }
  return { places, isReady, told, choose, step, remove, add }
}
