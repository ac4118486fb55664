import { useState } from 'react'
import { currentTheme } from '../theme/current.ts'

/** The copyright line with the year in which the page was opened. */
export function Copyright() {
  const [year] = useState(() => new Date().getFullYear())
  return (
    <span>
      © {year} {currentTheme.productName}
    </span>
  )
}
