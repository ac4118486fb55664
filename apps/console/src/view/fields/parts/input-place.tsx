import { Skeleton } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import { useIsPhone } from '../../useIsPhone.ts'
import { linesOf } from './line-values.ts'

/** Keeps the place of an input whose code is on its way, as high as it will be; of one line where the kind says nothing. */
export const InputPlace = ({ height }: { height?: number }) =>
  height === undefined ? (
    <Skeleton.Input active block />
  ) : (
    <Skeleton.Node active styles={{ root: { display: 'block', inlineSize: '100%' }, content: { inlineSize: '100%', blockSize: height } }}>
      {null}
    </Skeleton.Node>
  )

const input = 45
const gap = 8

/** How high the lines of a value are without their button, px: rows of inputs below their heads, on a phone a card each. */
export function useLinesHeight(value: unknown, { fields = [] }: FieldView): number {
  const isPhone = useIsPhone()
  const count = linesOf(value).length
  if (count === 0) return 22
  const card = 36 + fields.length * (input + 32)
  return isPhone ? count * (card + gap) - gap : 28 + count * (input + gap)
}

/** The place of lines with the button below them. */
export const LinesPlace = ({ value, field }: { value?: unknown; field: FieldView }) => (
  <InputPlace height={useLinesHeight(value, field) + gap + input} />
)
