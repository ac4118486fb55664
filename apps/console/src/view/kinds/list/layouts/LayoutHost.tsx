import { lazy, Suspense } from 'react'
import type { LayoutView } from '@outpost/contract/views'
import { LoadingState } from '../../../states/index.tsx'
import type { LayoutProps } from './layout-props.ts'
import './layouts.css'

const KanbanLayout = lazy(async () => ({ default: (await import('./KanbanLayout.tsx')).KanbanLayout }))
const MapLayout = lazy(async () => ({ default: (await import('./MapLayout.tsx')).MapLayout }))

/** Draws the rows of a list in one of its other layouts; each is loaded when it is asked for. */
export function LayoutHost({ layout, ...props }: LayoutProps & { layout: LayoutView }) {
  return (
    <div className="list-body list-layout" data-kind={layout.kind}>
      <Suspense fallback={<LoadingState rows={10} />}>
        {layout.kind === 'kanban' ? <KanbanLayout layout={layout} {...props} /> : <MapLayout layout={layout} {...props} />}
      </Suspense>
    </div>
  )
}
