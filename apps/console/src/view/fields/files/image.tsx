import { lazy } from 'react'
import { StoredImage } from '../parts/stored-image.tsx'
import { fileName } from '../parts/file-name.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const ImageInput = lazy(async () => ({ default: (await import('../inputs/file-input.tsx')).ImageInput }))
const ImageCell = ({ value, field }: CellProps) => <StoredImage path={String(value)} alt={field.label} />

/** A stored picture, by its path. */
export const image: FieldKindView = { Input: ImageInput, Cell: ImageCell, text: fileName, width: 90, toWire: (value) => value || null }
