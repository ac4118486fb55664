import type { ReactNode } from 'react'
import { Tag } from 'antd'
import { toneOf } from '../../theme/tones.ts'

/** Class of a coloured label; colours are meanings, so that they hold their contrast in all themes. */
export const tagClass = (colour: string | undefined): string => `tag-${toneOf(colour)}`

export const Label = ({ className, children }: { className: string, children: ReactNode }) => (
  <Tag variant="filled" className={`view-tag ${className}`}>{children}</Tag>
)
