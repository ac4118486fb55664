import { lazy } from 'react'
import { PaperClipOutlined } from '@ant-design/icons'
import { FileLink } from './file-link.tsx'
import type { CellProps, FieldKindView } from './types.ts'

const FileInput = lazy(async () => ({ default: (await import('./inputs/file-input.tsx')).FileInput }))

/** Name of a stored file by its path. */
export const fileName = (value: unknown): string => decodeURIComponent(String(value).split(/[?#]/)[0]?.split('/').at(-1) ?? '')

const FileCell = ({ value }: CellProps) => <FileLink path={String(value)}><PaperClipOutlined aria-hidden /> {fileName(value)}</FileLink>

/** A stored file, by its path. */
export const file: FieldKindView = { Input: FileInput, Cell: FileCell, text: fileName, width: 180, toWire: (value) => value || null }
