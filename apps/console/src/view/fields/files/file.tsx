import { lazy } from 'react'
import { PaperClipOutlined } from '@ant-design/icons'
import { FileLink } from '../parts/file-link.tsx'
import { fileName } from '../parts/file-name.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const FileInput = lazy(async () => ({ default: (await import('../inputs/file-input.tsx')).FileInput }))

const FileCell = ({ value }: CellProps) => (
  <FileLink path={String(value)}>
    <PaperClipOutlined aria-hidden /> {fileName(value)}
  </FileLink>
)

/** A stored file, by its path. */
export const file: FieldKindView = { Input: FileInput, Cell: FileCell, text: fileName, width: 180, toWire: (value) => value || null }
