import type { UseQueryResult } from '@tanstack/react-query'
import { CheckCircleOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'

interface SectionProps {
  title: string
  /** How many rows there are of it, or what opens them. */ count?: ReactNode
  id?: string
  children: ReactNode
}

/** A card of rows under its heading. */
export function Section({ title, count, id, children }: SectionProps) {
  return (
    <section className="mw-card mw-section">
      <h2 id={id} tabIndex={id === undefined ? undefined : -1}>
        {title}
        {count}
      </h2>
      <div className="mw-rows">{children}</div>
    </section>
  )
}

export const Count = ({ value, tone }: { value: number; tone?: 'late' }) => (
  <span className="mw-count" data-tone={tone}>
    {value}
  </span>
)

/** In the place of rows that are not there yet. */
export function Coming({ query: { error, refetch }, what, rows }: { query: UseQueryResult; what: string; rows: number }) {
  return error ? <ErrorState error={error} what={what} onRetry={() => void refetch()} /> : <LoadingState rows={rows} />
}

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="mw-nothing">
    <CheckCircleOutlined aria-hidden /> {children}
  </p>
)
