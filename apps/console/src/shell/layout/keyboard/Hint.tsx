import { Tooltip } from 'antd'
import type { ReactElement } from 'react'

/** Words that come below a control of the top bar: inside the bar, as all that can be read is in a landmark. */
export function Hint({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip title={text} getPopupContainer={(control) => control.closest<HTMLElement>('header') ?? document.body}>
      {children}
    </Tooltip>
  )
}
