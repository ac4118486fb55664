import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { fillPath } from '../data/paths.ts'
import type { Values } from '../data/paths.ts'

/** A link to a record's screen; plain text when the caller may not open one. */
export function RecordLink({
  screen,
  id,
  values,
  children,
}: {
  screen: string | undefined
  id?: string
  values?: Values
  children: ReactNode
}) {
  const path = screen ? pathOf(screen, { ...values, ...(id ? { id } : {}) }) : undefined
  return path ? (
    <Link to={path} onClick={(event) => event.stopPropagation()}>
      {children}
    </Link>
  ) : (
    <>{children}</>
  )
}

/** The filled path, or undefined when the row lacks a part of it. */
export function pathOf(screen: string, values: Values): string | undefined {
  try {
    return fillPath(screen, values)
  } catch {
    // The row has no value for a part of the path: then there is nowhere to go.
    return undefined
  }
}
