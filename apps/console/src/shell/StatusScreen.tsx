import type { ReactNode } from 'react'

export type StatusDrawing = 'lost' | 'locked' | 'offline' | 'soon' | 'broken' | 'done' | 'waiting'

const drawings: Record<StatusDrawing, string> = {
  lost: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm4.2 4.8-2.6 5.8-5.8 2.6 2.6-5.800z',
  locked: 'M7 10V8a5 5 0 0 1 10 0v2h1.500v11h-13V10zm2 0h6V8a3 3 0 0 0-6 0z',
  offline:
    'M3.3 4.7 4.7 3.300l16 16-1.4 1.4-6.2-6.200A3 3 0 0 0 9.9 15l-1.5-1.400a5 5 0 0 1 2-1.300L7.9 9.800a8.7 8.7 0 0 0-2.4 1.700L4 10.100a11 11 0 0 1 2.4-1.800zM12 6c3.1 0 5.9 1.5 8 4.100l-1.5 1.400A8.6 8.6 0 0 0 12 8.100h-.7L9.6 6.300A11 11 0 0 1 12 6zm0 11a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
  soon: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm1 4v4.600l3.2 3.2-1.4 1.400L11 12.400V7z',
  broken: 'M12 3 22 20.500H2zM11 10v5h2v-5zm0 6.500v2h2v-2z',
  done: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1.2 12.6-3.6-3.6 1.4-1.4 2.2 2.2 4.6-4.6 1.4 1.400z',
  waiting: 'M7 3h10v4l-3.5 5 3.5 5v4H7v-4l3.5-5L7 7z',
}

/** A whole screen that says one thing: what happened, what it means, what to do next. */
export function StatusScreen({
  drawing,
  title,
  children,
  actions,
}: {
  drawing: StatusDrawing
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <section className="o-status">
      <svg
        className="o-status-drawing"
        viewBox="0 0 24 24"
        width="56"
        height="56"
        fill="currentColor"
        fillRule="evenodd"
        aria-hidden="true"
        focusable="false"
      >
        <path d={drawings[drawing]} />
      </svg>
      <h1>{title}</h1>
      {children && <div className="o-status-body">{children}</div>}
      {actions && <div className="o-status-actions">{actions}</div>}
    </section>
  )
}
