import { Tooltip } from 'antd'
import type { ReactElement } from 'react'

interface HintProps {
  text: string
  /** True while what the control opened is there: words above that would take its first Escape. */
  isAway?: boolean
  children: ReactElement
}

/** Words that come below a control of the top bar: inside the bar, as all that can be read is in a landmark. */
export function Hint({ text, isAway = false, children }: HintProps) {
  return (
    <Tooltip
      title={text}
      {...(isAway ? { open: false } : {})}
      getPopupContainer={(control) => control.closest<HTMLElement>('header') ?? document.body}
    >
      {children}
    </Tooltip>
  )
}
