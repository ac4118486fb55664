import type { ReactNode } from 'react'
import { Tag } from 'antd'
import { hueClass } from '../../../theme/hues.ts'
import { toneOf } from '../../../theme/tones.ts'

/** Class of a coloured label: the hue that boards and drawings give the same value; what has none is quiet. */
export const tagClass = (colour: string | undefined): string =>
  toneOf(colour) === 'quiet' ? 'tag-quiet' : `tag-${toneOf(colour)} ${hueClass(colour)}`

export const Label = ({ className, children }: { className: string; children: ReactNode }) => (
  <Tag variant="filled" className={`view-tag ${className}`}>
    {children}
  </Tag>
)
