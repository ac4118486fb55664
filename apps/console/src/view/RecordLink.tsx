import { createContext, useContext, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { fillPath } from '../data/paths.ts'
import type { Values } from '../data/paths.ts'

/** True for what is shown within a link: a link holds no other one. */
const InsideLink = createContext(false)

/** A link to a record's screen; plain text when the caller may not open one, and within another link. */
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
  const isInside = useContext(InsideLink)
  const path = screen && !isInside ? pathOf(screen, { ...values, ...(id ? { id } : {}) }) : undefined
  return path ? (
    <Link to={path} className="record-ref" onClick={(event) => event.stopPropagation()}>
      <InsideLink value>{children}</InsideLink>
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
