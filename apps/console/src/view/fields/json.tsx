import { useState } from 'react'
import { Input } from 'antd'
import { forInput } from './plain.tsx'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

const words = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

/** Unfinished text stays text; it becomes a value as soon as it reads as JSON. */
function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

const JsonInput = (props: InputProps) => {
  const [text, setText] = useState(() => (props.value === undefined || props.value === null ? '' : words(props.value)))
  const change = (next: string) => {
    setText(next)
    props.onChange?.(parsed(next))
  }
  return (
    <Input.TextArea
      {...forInput(props)}
      className="field-code"
      spellCheck={false}
      autoSize={{ minRows: 4, maxRows: 16 }}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  )
}
const JsonCell = ({ value }: CellProps) => (
  <code className="field-code-cell">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
)

/** Structured data as JSON text. */
export const json: FieldKindView = {
  Input: JsonInput,
  Cell: JsonCell,
  text: words,
  width: 220,
  isWide: true,
  check: (value) => (typeof value === 'string' && typeof parsed(value) === 'string' ? 'is not JSON' : undefined),
}
