import { Select } from 'antd'
import { t } from '../../../session/labels.ts'
import { listOf, multiChoice } from './multiChoice.tsx'
import { forInput } from '../plain.tsx'
import type { FieldKindView, InputProps } from '../types.ts'

const TagsInput = (props: InputProps) => (
  <Select
    {...forInput(props)}
    mode="tags"
    className="field-wide"
    tokenSeparators={[',', ';']}
    value={listOf(props.value).map(String)}
    placeholder={t('Type and press Enter')}
    open={false}
    suffixIcon={null}
    onChange={(values: string[]) => props.onChange?.(values.map((value) => value.trim()).filter(Boolean))}
  />
)

/** Free words. */
export const tags: FieldKindView = { ...multiChoice, Input: TagsInput }
