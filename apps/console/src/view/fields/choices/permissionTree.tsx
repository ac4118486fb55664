import { lazy } from 'react'
import { InputPlace } from '../parts/input-place.tsx'
import { hierarchiesOf } from '../parts/permission-paths.ts'
import { t } from '../../../session/labels.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const PermissionTreeInput = lazy(async () => ({ default: (await import('../inputs/permission-tree-input.tsx')).PermissionTreeInput }))
const words = (value: unknown) => `${hierarchiesOf(value).length} ${t('permissions')}`
const PermissionTreeCell = ({ value }: CellProps) => (
  <details className="field-permissions">
    <summary>{words(value)}</summary>
    <ul>
      {hierarchiesOf(value).map((path) => (
        <li key={path}>{path}</li>
      ))}
    </ul>
  </details>
)

const PermissionTreePlace = () => (
  <div className="permission-tree">
    <InputPlace height={475} />
  </div>
)

/** Permissions of a role or user: upper-case hierarchies. */
export const permissionTree: FieldKindView = {
  Input: PermissionTreeInput,
  Cell: PermissionTreeCell,
  text: words,
  width: 140,
  toWire: hierarchiesOf,
  isWide: true,
  Place: PermissionTreePlace,
}
