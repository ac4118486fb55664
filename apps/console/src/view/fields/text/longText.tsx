import { lazy, Suspense } from 'react'
import { Button, Input } from 'antd'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { checkLength, forInput, plainText, trimmed } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const FileChoice = lazy(async () => ({ default: (await import('../inputs/file-choice.tsx')).FileChoice }))

const LongTextInput = (props: InputProps) =>
  props.field.fromFile === undefined ? <TextArea {...props} /> : <FromFile {...props} endings={props.field.fromFile} />

const TextArea = (props: InputProps) => (
  <Input.TextArea
    {...forInput(props)}
    value={props.value === undefined || props.value === null ? '' : String(props.value)}
    maxLength={props.field.maxLength}
    showCount={props.field.maxLength !== undefined}
    autoSize={{ minRows: 3, maxRows: 12 }}
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)

/** Pasted, or read from a file of the device. */
function FromFile({ endings, ...props }: InputProps & { endings: string }) {
  const read = async (chosen: File): Promise<void> => {
    if (chosen.size > (props.field.maxLength ?? Infinity)) return toast.danger({ title: t('This file is too large.') })
    props.onChange?.(await chosen.text())
  }
  return (
    <div className="field-from-file">
      <TextArea {...props} />
      <Suspense fallback={<Button disabled>{t('Choose a file')}</Button>}>
        <FileChoice endings={endings} isDisabled={props.disabled === true} onChoose={(file) => void read(file)} />
      </Suspense>
    </div>
  )
}

const LongTextCell = ({ value }: CellProps) => <span className="field-long">{String(value)}</span>

/** Several lines of text. */
export const longText: FieldKindView = {
  ...plainText,
  Input: LongTextInput,
  Cell: LongTextCell,
  check: checkLength,
  toWire: trimmed,
  width: 280,
  isWide: true,
}
