import type { ReactNode } from 'react'
import { Tag } from 'antd'

const classes: Record<string, string> = {
  green: 'tag-good', success: 'tag-good', good: 'tag-good', red: 'tag-bad', error: 'tag-bad', danger: 'tag-bad',
  orange: 'tag-warn', gold: 'tag-warn', yellow: 'tag-warn', warning: 'tag-warn', blue: 'tag-info', processing: 'tag-info',
  cyan: 'tag-info', geekblue: 'tag-info', purple: 'tag-info', teal: 'tag-info',
}

/** Class of a coloured label; colours are meanings, so that they hold their contrast in all themes. */
export const tagClass = (colour: string | undefined): string => classes[colour?.toLowerCase() ?? ''] ?? 'tag-quiet'

export const Label = ({ className, children }: { className: string, children: ReactNode }) => (
  <Tag variant="filled" className={`view-tag ${className}`}>{children}</Tag>
)
