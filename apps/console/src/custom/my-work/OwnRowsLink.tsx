import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { OwnRows } from './own-rows.ts'

interface OwnRowsLinkProps {
  to: string
  rows: OwnRows
  className?: string
  label?: string
  children: ReactNode
}

/** Opens in a list the rows that a number counts. */
export const OwnRowsLink = ({ to, rows, className, label, children }: OwnRowsLinkProps) => (
  <Link className={className} to={to as never} search={{ ...rows } as never} aria-label={label}>
    {children}
  </Link>
)
